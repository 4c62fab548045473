"""Numbers with names on their way through view, transpose, attention and back."""

import torch
import traitlets

from course_lib.validation import traits
from course_lib.validation.layer_inputs import check_positive
from course_lib.widgets.course_widget import CourseWidget, javascript
from course_lib.widgets.picture import STILL, still_table, svg_image

TITLES = ("projection", "view", "transpose", "attention", "transpose back", "view back")
TOKENS = "ABCDEF"
MOST = {"seq_len": 6, "num_heads": 4, "head_dim": 4}
HEAD_COLOURS = ("#81ebeb", "#ba8cff", "#e0ffb2", "#ebc52f")  # of no role; black is read on each


class ReshapeStepper(CourseWidget):
    """Step through the reshaping of the one-matrix form of multi-head attention.

    Every number has the name of its token (A, B, ...) and its feature (0, 1, ...), and the colour
    of its head. Beside the right way stands the wrong one, ``x.view(num_heads, seq_len, head_dim)``
    without a transpose: the shapes are the same, but a head gets the numbers of several. The trait
    ``step`` (0 to 5) follows what is clicked and can be set.

    Args:
        seq_len: 1 to 6 tokens.
        num_heads: 1 to 4.
        head_dim: 1 to 4 numbers of each head.
        step: what is shown at first.

    Raises:
        TypeError, ValueError: a size that is no integer in its range.
        TraitError: a step that is not from 0 to 5.
    """

    _esm = javascript("reshape_stepper")
    step = traits.WholeNumber(0).tag(sync=True, page=True)

    def __init__(self, seq_len: int = 3, num_heads: int = 2, head_dim: int = 2, *, step: int = 0):
        sizes = {"seq_len": seq_len, "num_heads": num_heads, "head_dim": head_dim}
        check_positive(**sizes)
        for name, size in sizes.items():
            if size > MOST[name]:
                raise ValueError(f"{name} must be at most {MOST[name]}, got {size}")
        self._sizes = seq_len, num_heads, head_dim
        colours = list(HEAD_COLOURS[:num_heads])
        super().__init__(_data=sizes | {"colours": colours}, step=step)

    def order(self, wrong: bool = False) -> torch.Tensor:
        """Return the tensor of this step, on the right way or on the wrong one.

        It holds for each number its place in the first tensor.
        (seq_len, d_model) at steps 0 and 5; (seq_len, num_heads, head_dim) at 1 and 4;
        (num_heads, seq_len, head_dim) at 2 and 3, and at 1 and 4 when it is wrong.
        """
        seq_len, num_heads, head_dim = self._sizes
        x = torch.arange(seq_len * num_heads * head_dim).view(seq_len, num_heads * head_dim)
        if self.step in (0, 5):
            return x
        if wrong:
            return x.view(num_heads, seq_len, head_dim)
        x = x.view(seq_len, num_heads, head_dim)
        return x.transpose(0, 1) if self.step in (2, 3) else x

    def describe(self) -> str:
        seq_len, num_heads, head_dim = self._sizes
        return f"ReshapeStepper({seq_len} tokens, {num_heads} heads of {head_dim})"

    def still(self, picture: bool = True) -> str:
        order = self.order()
        shape = ", ".join(map(str, order.shape))
        rows = order.flatten(0, -2).tolist()
        lines = "".join(
            "<tr>" + "".join(f"<td>{self._label(n)}</td>" for n in row) + "</tr>" for row in rows
        )
        table = still_table(f"{STILL}{TITLES[self.step]}, shape ({shape})", (), lines)
        return self._drawing() + table if picture else table

    def _label(self, number: int) -> str:
        token, feature = divmod(number, self._sizes[1] * self._sizes[2])
        return TOKENS[token] + str(feature)

    def _drawing(self) -> str:
        """Both ways side by side as an <img>: every number in the colour of its head."""
        ways = [self.order(wrong) for wrong in (False, True)]
        width = 130 + 44 * max(order.shape[-1] for order in ways)
        height = 30 + 30 * max(order.flatten(0, -2).shape[0] for order in ways)
        parts = [self._way(order, bool(i), i * width) for i, order in enumerate(ways)]
        font = 'font-family="sans-serif" font-size="13" text-anchor="middle"'
        alt = "The numbers in their places on the right and the wrong way, coloured by head"
        return svg_image("".join(parts), 2 * width, height, font, alt)

    def _way(self, order: torch.Tensor, wrong: bool, left: int) -> str:
        _, num_heads, head_dim = self._sizes
        heads_first = wrong or self.step in (2, 3)
        parts = [f'<text x="{left + 108}" y="18" text-anchor="start" font-weight="600">']
        parts.append("wrong</text>" if wrong else "right</text>")
        for y, row in enumerate(order.flatten(0, -2).tolist()):
            first, second = divmod(y, order.shape[1])
            head, token = (first, second) if heads_first else (second, first)
            names = [f"head {head}", f"token {TOKENS[token]}"][:: 1 if heads_first else -1]
            name = ", ".join(names) if order.dim() == 3 else f"token {TOKENS[y]}"
            top = 30 + 30 * y
            parts.append(
                f'<text x="{left + 100}" y="{top + 18}" text-anchor="end" font-size="12">'
                f"{name}</text>"
            )
            for x, number in enumerate(row):
                colour = HEAD_COLOURS[number % (num_heads * head_dim) // head_dim]
                place = left + 108 + 44 * x
                parts.append(
                    f'<rect x="{place}" y="{top}" width="40" height="26" rx="3" fill="{colour}"/>'
                    f'<text x="{place + 20}" y="{top + 18}">{self._label(number)}</text>'
                )
        return "".join(parts)

    @traitlets.validate("step")
    def _check_step(self, proposal):
        return traits.in_range("step", proposal["value"], len(TITLES))
