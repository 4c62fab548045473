"""Numbers with names on their way through view, transpose, attention and back."""

import html

import torch
import traitlets

from course_lib.validation import check_positive
from course_lib.widgets.checked_traits import WholeNumber, YesNo, in_range
from course_lib.widgets.course_widget import CourseWidget, css, javascript
from course_lib.widgets.picture import svg_image

TITLES = ("projection", "view", "transpose", "attention", "transpose back", "view back")
MOST = {"seq_len": 6, "num_heads": 4, "head_dim": 4}
HEAD_COLOURS = ("#56b4e9", "#e69f00", "#cc79a7", "#bbbbbb")  # black is readable on each


class ReshapeStepper(CourseWidget):
    """Step through the reshaping of the one-matrix form of multi-head attention.

    Every number has the name of its token (A, B, ...) and its feature (0, 1, ...), and the colour
    of its head. In the wrong view, ``x.view(num_heads, seq_len, head_dim)`` without a transpose,
    the shapes are the same, but a head gets the numbers of several. The traits ``step`` (0 to 5)
    and ``wrong`` follow what is clicked and can be set.

    Args:
        seq_len: 1 to 6 tokens.
        num_heads: 1 to 4.
        head_dim: 1 to 4 numbers of each head.
        step, wrong: what is shown at first.

    Raises:
        TypeError, ValueError: a size that is no integer in its range.
        TraitError: a step that is not from 0 to 5.
    """

    _esm = javascript("reshape_stepper")
    _css = css()
    _data = traitlets.Dict().tag(sync=True, page=True)
    step = WholeNumber(0).tag(sync=True, page=True)
    wrong = YesNo(False).tag(sync=True, page=True)

    def __init__(
        self,
        seq_len: int = 3,
        num_heads: int = 2,
        head_dim: int = 2,
        *,
        step: int = 0,
        wrong: bool = False,
    ):
        sizes = {"seq_len": seq_len, "num_heads": num_heads, "head_dim": head_dim}
        check_positive(**sizes)
        for name, size in sizes.items():
            if size > MOST[name]:
                raise ValueError(f"{name} must be at most {MOST[name]}, got {size}")
        self._sizes = seq_len, num_heads, head_dim
        colours = list(HEAD_COLOURS[:num_heads])
        super().__init__(_data=sizes | {"colours": colours}, step=step, wrong=wrong)

    @property
    def order(self) -> torch.Tensor:
        """The tensor of this step, holding for each number its place in the first one.

        (seq_len, d_model) at steps 0 and 5; (seq_len, num_heads, head_dim) at 1 and 4;
        (num_heads, seq_len, head_dim) at 2 and 3, and at 1 and 4 when it is wrong.
        """
        seq_len, num_heads, head_dim = self._sizes
        x = torch.arange(seq_len * num_heads * head_dim).view(seq_len, num_heads * head_dim)
        if self.step in (0, 5):
            return x
        if self.wrong:
            return x.view(num_heads, seq_len, head_dim)
        x = x.view(seq_len, num_heads, head_dim)
        return x.transpose(0, 1) if self.step in (2, 3) else x

    def describe(self) -> str:
        seq_len, num_heads, head_dim = self._sizes
        return f"ReshapeStepper({seq_len} tokens, {num_heads} heads of {head_dim})"

    def still(self, picture: bool = True) -> str:
        order = self.order
        shape = ", ".join(map(str, order.shape))
        rows = order.flatten(0, -2).tolist()
        lines = "".join(
            "<tr>" + "".join(f"<td>{self._label(n)}</td>" for n in row) + "</tr>" for row in rows
        )
        caption = f"A still picture; run the cell to touch it. {TITLES[self.step]}, shape ({shape})"
        style = "white-space: nowrap; text-align: left"
        table = f'<table><caption style="{style}">{html.escape(caption)}</caption>{lines}</table>'
        return self._drawing(rows) + table if picture else table

    def _label(self, number: int) -> str:
        token, feature = divmod(number, self._sizes[1] * self._sizes[2])
        return "ABCDEF"[token] + str(feature)

    def _drawing(self, rows: list[list[int]]) -> str:
        _, num_heads, head_dim = self._sizes
        shape = self.order.shape
        heads_first = self.wrong or self.step in (2, 3)
        names = ("head", "token") if heads_first else ("token", "head")
        cells = ""
        for y, row in enumerate(rows):
            first, second = divmod(y, shape[1])
            name = f"token {y}" if len(shape) == 2 else f"{names[0]} {first}, {names[1]} {second}"
            cells += (
                f'<text x="100" y="{30 * y + 18}" text-anchor="end" font-size="12">{name}</text>'
            )
            for x, number in enumerate(row):
                head = number % (num_heads * head_dim) // head_dim
                left = 108 + 44 * x
                cells += (
                    f'<rect x="{left}" y="{30 * y}" width="40" height="26" rx="3" '
                    f'fill="{HEAD_COLOURS[head]}"/><text x="{left + 20}" y="{30 * y + 18}" '
                    f'fill="#000">{self._label(number)}</text>'
                )
        size = f'width="{112 + 44 * len(rows[0])}" height="{30 * len(rows)}"'
        font = 'font-family="sans-serif" font-size="13" text-anchor="middle"'
        paper = '<rect width="100%" height="100%" fill="#fff"/>'
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font}>{paper}{cells}</svg>'
        return svg_image(svg, "The numbers in their places, each in the colour of its head")

    @traitlets.validate("step")
    def _check_step(self, proposal):
        return in_range("step", proposal["value"], len(TITLES))
