"""A mask to click on: what it lets through, whether the future leaks, what an empty row gives."""

from collections.abc import Sequence
from itertools import product

import torch
import traitlets

from course_lib.attention.masks import causal_mask, padding_mask, window_mask
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention
from course_lib.validation import traits
from course_lib.validation.labels import checked_tokens, shortened
from course_lib.widgets.course_widget import CourseWidget, javascript
from course_lib.widgets.picture import maps_image, weights_table

MOST_TOKENS = 12
HEAD_DIM = 4
WINDOW = 3  # keys that a query sees in the sliding window, itself included
PRESETS = ("no mask", "causal", "padding", "causal and padding", "sliding window")


class MaskLab(CourseWidget):
    """Toggle the cells of a mask, change one token, and see which outputs move.

    Each token has a query, key and value of random numbers, and so has the token that can stand in
    its place. Every token is changed in turn: when the output of an earlier one moves, the future
    leaks, and the lab names who sees whom. For the token that you choose it shows how far each
    output moves. The table shows the row of the chosen query masked in three ways, which differ
    only where the mask allows nothing: -inf gives nan, -1e9 equal weights for all keys, and the
    safe form zeros.

    The traits ``allowed`` (rows of True = may attend), ``changed`` and ``query`` follow what is
    clicked and can be set.

    Args:
        tokens: 1 to 12 texts; the last ``padding`` of them are padding.
        preset: the mask at first: "no mask", "causal", "padding", "causal and padding" or
            "sliding window" (causal, the last 3 keys).
        padding: how many tokens at the end are padding.
        changed, query: which token is changed, and which row is shown, at first.

    Raises:
        TypeError, ValueError: the tokens, the preset or the padding do not fit.
        TraitError: a token out of range, or rows that are not one boolean for each pair.
    """

    _esm = javascript("mask_lab")
    allowed: traitlets.List = traits.Row().tag(sync=True, page=True)
    changed = traits.WholeNumber(0).tag(sync=True, page=True)
    query = traits.WholeNumber(0).tag(sync=True, page=True)

    def __init__(
        self,
        tokens: Sequence[str],
        preset: str = "causal",
        *,
        padding: int = 2,
        changed: int = 0,
        query: int = 0,
    ):
        self._tokens = checked_tokens("tokens", tokens, MOST_TOKENS)
        count = len(self._tokens)
        if preset not in PRESETS:
            raise ValueError(f"preset must be one of {', '.join(PRESETS)}, got {preset!r}")
        if type(padding) is not int or not 0 <= padding <= count:
            raise ValueError(f"padding must be from 0 to {count} tokens, got {padding!r}")
        generator = torch.Generator().manual_seed(0)
        # (2, 3, tokens, head_dim): query, key and value; as they are and as they are changed
        numbers = torch.randn(2, 3, count, HEAD_DIM, generator=generator, dtype=torch.float64)
        self._vectors, self._other = numbers
        parts = ("query", "key", "value")
        causal, real = causal_mask(count), padding_mask([count - padding], count)[0, 0]
        presets = {
            "no mask": torch.ones(count, count, dtype=torch.bool),
            "causal": causal,
            "padding": real.expand(count, -1),
            "causal and padding": causal & real,
            "sliding window": window_mask(count, window=WINDOW),
        }
        super().__init__(
            _data={
                "tokens": self._tokens,
                "padding": padding,
                "window": WINDOW,
                "vectors": dict(zip(parts, self._vectors.tolist(), strict=True)),
                "other": dict(zip(parts, self._other.tolist(), strict=True)),
            },
            allowed=presets[preset].tolist(),
            changed=changed,
            query=query,
        )

    @property
    def mask(self) -> torch.Tensor:
        """The mask (tokens, tokens), True = may attend."""
        return torch.tensor(self.allowed)

    @property
    def weights(self) -> torch.Tensor:
        """The weights (tokens, tokens); rows that may attend to nothing are 0."""
        return scaled_dot_product_attention(*self._vectors, mask=self.mask)[1]

    @property
    def moves(self) -> torch.Tensor:
        """Which outputs (tokens,) move when the token ``changed`` is changed; boolean."""
        return self._moves(self.changed)

    @property
    def leaks(self) -> list[tuple[int, int]]:
        """Every (query, key) where a change of the later token ``key`` moves the query's output."""
        moved = [self._moves(key) for key in range(len(self._tokens))]
        pairs = product(range(len(moved)), repeat=2)
        return [(query, key) for query, key in pairs if key > query and moved[key][query]]

    def _moves(self, token: int) -> torch.Tensor:
        changed = self._vectors.clone()
        changed[:, token] = self._other[:, token]
        before, _ = scaled_dot_product_attention(*self._vectors, mask=self.mask)
        after, _ = scaled_dot_product_attention(*changed, mask=self.mask)
        return ((after - before).abs() > 1e-12).any(dim=-1)

    def describe(self) -> str:
        return f"MaskLab({len(self._tokens)} tokens)"

    def still(self, picture: bool = True) -> str:
        weights, allowed = self.weights.numpy(), self.mask.numpy()
        caption = f"query '{self._tokens[self.query]}'"
        table = weights_table(weights[self.query], allowed[self.query], self._tokens, caption)
        if not picture:
            return table
        maps = weights[None, None], allowed[None, None]
        return maps_image(*maps, self._tokens, self._tokens, (0, 0, self.query)) + table

    @traitlets.validate("allowed")
    def _check_allowed(self, proposal):
        count, rows = len(self._tokens), proposal["value"]
        expected = f"allowed must hold {count} rows of {count} booleans"
        if not all(isinstance(row, list | tuple) for row in rows):
            raise traitlets.TraitError(f"{expected}, got {shortened(rows)}; a tensor has .tolist()")
        lengths = {len(row) for row in rows}
        if len(rows) != count or lengths != {count}:
            raise traitlets.TraitError(f"{expected}, got {len(rows)} rows of {sorted(lengths)}")
        wrong = [cell for row in rows for cell in row if not isinstance(cell, bool)]
        if wrong:
            raise traitlets.TraitError(f"{expected}, True = may attend, got {wrong[0]!r}")
        return [list(row) for row in rows]

    @traitlets.validate("changed", "query")
    def _check_token(self, proposal):
        return traits.in_range(proposal["trait"].name, proposal["value"], len(self._tokens))
