"""What the attention explorer takes, in one form, and what the browser gets."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from course_lib.attention.masks import causal_mask
from course_lib.validation.labels import checked_tokens
from course_lib.validation.maps import MANY, boolean_mask, finite_floats, floats
from course_lib.widgets.explorer_weights import MOST_TOKENS, LogWeights
from course_lib.widgets.packed_numbers import FEW, packed, packed_scores, packed_weights, value_bits

CUT = (
    ". Cut out a part, as in tokens[a:b] with scores[..., a:b, a:b], whose softmax is then over "
    "these keys alone. Or give finished weights: from_weights(weights, tokens, around=a place)"
)
FILL = -9000.0  # no score: -1e4, -1e9 and finfo.min stand for "masked"
ORDERS = ("layer", "entropy", "previous", "first", "diagonal", "this cell")


@dataclass(frozen=True)
class Maps:
    """What there is to look at."""

    queries: list[str]
    keys: list[str]
    scores: torch.Tensor  # (layers, heads, query_len, key_len), NaN = masked
    values: torch.Tensor | None  # (layers, heads, key_len, head_dim)


def checked_maps(
    scores, tokens: Sequence[str], values, key_tokens: Sequence[str] | None, mask, causal: bool
) -> Maps:
    """Return the inputs of ``AttentionExplorer`` in one form, or say what is wrong with them.

    ``LogWeights`` have their own mask.
    """
    of_weights = isinstance(scores, LogWeights)
    queries = keys = checked_tokens("tokens", tokens, MOST_TOKENS, CUT)
    if key_tokens is not None:
        keys = checked_tokens("key_tokens", key_tokens, MOST_TOKENS, CUT)
    scores = _checked_scores(scores, queries, keys, key_tokens is not None)
    if not of_weights:
        scores = _masked_scores(scores, mask, causal)
    values = None if values is None else _checked_values(values, scores)
    return Maps(queries, keys, scores, values)


def content_for_the_browser(
    maps: Maps, *, is_self: bool, causal: bool, untrained: bool, coldest: float, of_weights: bool
) -> dict[str, Any]:
    """Return the trait ``_data``: see ``widgets_js/src/explorer/data.js``.

    ``is_self`` says that keys and queries are the same tokens. Weights must be right down to the
    temperature ``coldest``. ``of_weights`` says that the scores are logarithms of weights: of very
    many, the weights are sent, for one temperature.
    """
    scores, values = maps.scores, maps.values
    layers, heads, *lengths = scores.shape
    many, few = of_weights and scores.numel() > MANY, scores.numel() <= FEW
    future = scores[..., ~causal_mask(*lengths)]
    return {
        "layers": layers,
        "heads": heads,
        "head_dim": 0 if values is None else values.shape[-1],
        "maskable": not many and (is_self or causal) and bool(future.isfinite().any()),
        "is_self": is_self,
        "untrained": untrained,
        "of_weights": of_weights,
        "fixed": many,
        "part": "",
        "picture": None,
        "queries": maps.queries,
        "keys": None if is_self else maps.keys,
        "scores": packed_weights(scores) if many else packed_scores(scores, few, coldest),
        "values": None if values is None else packed(values, value_bits(values.numel())),
    }


def _checked_scores(scores, tokens, keys, is_cross) -> torch.Tensor:
    """Return the scores as (layers, heads, query_len, key_len), also of a list of layers."""
    scores = scores.scores if isinstance(scores, LogWeights) else floats("scores", scores)
    if not 2 <= scores.dim() <= 4:
        raise ValueError(
            "scores must have shape (query_len, key_len), (heads, query_len, key_len) or "
            f"(layers, heads, query_len, key_len), got {tuple(scores.shape)}"
        )
    if 0 in scores.shape[:-2]:
        raise ValueError(f"scores must hold at least one head, got shape {tuple(scores.shape)}")
    given = f"scores or weights of shape {tuple(scores.shape)}"
    if scores.shape[-2] != len(tokens):
        raise ValueError(
            f"tokens must hold one text for each query: {scores.shape[-2]} for {given}, "
            f"got {len(tokens)}"
        )
    if scores.shape[-1] != len(keys):
        remedy = "" if is_cross else "; for cross-attention, give key_tokens"
        raise ValueError(
            f"{'key_tokens' if is_cross else 'tokens'} must hold one text for each key: "
            f"{scores.shape[-1]} for {given}, got {len(keys)}{remedy}"
        )
    return scores.reshape((1,) * (4 - scores.dim()) + tuple(scores.shape))


def _masked_scores(scores, mask, causal) -> torch.Tensor:
    """Return the scores, NaN where attention is never allowed."""
    if mask is None:
        allowed = torch.ones_like(scores, dtype=torch.bool)
    else:
        allowed = torch.from_numpy(boolean_mask(mask, tuple(scores.shape), "the scores"))
    is_fill = scores <= FILL  # also of -inf
    if causal:  # scores that are already masked this way, with -inf or -1e9, are fine
        allowed = allowed & (causal_mask(*scores.shape[-2:]) | ~is_fill)
    wrong = allowed & ~((scores > FILL) & (scores <= torch.finfo(torch.float32).max))
    if wrong.any():
        index = tuple(wrong.nonzero()[0].tolist())
        way_out = f"; for these, mask=scores > {FILL:.0f}" if (allowed & is_fill).any() else ""
        of_fills = (is_fill & scores.isfinite()).all(dim=-1) & wrong.any(dim=-1)
        rows = of_fills.nonzero().tolist()
        if rows:  # torch's softmax of -inf alone is NaN
            way_out += (
                f". In a row of nothing but fills, as at (layer, head, query) {tuple(rows[0])}, "
                "torch's softmax gives weights, even ones where all are alike. This mask draws "
                "none there; the row's scores less their largest draw what softmax gives"
            )
        raise ValueError(
            f"scores must be finite float32 above {FILL:.0f} where the mask allows attention, got "
            f"{scores[index]:.5g} at (layer, head, query, key) {index} and {int(wrong.sum())} such "
            f"numbers. Say with mask= (True = may attend) or causal=True what is masked{way_out}."
        )
    return scores.masked_fill_(~allowed, math.nan)


def _checked_values(values, scores) -> torch.Tensor:
    """Return the values as (layers, heads, key_len, head_dim)."""
    values = finite_floats("values", values)
    layers, heads, _, key_len = scores.shape
    fits = values.dim() >= 2 and values.shape[-1] > 0
    wanted = (layers, heads, key_len, values.shape[-1] if fits else 1)
    leading = values.shape[:-1]
    if not fits or leading not in (
        (layers, heads, key_len),
        *([(heads, key_len)] * (layers == 1)),
        *([(key_len,)] * (layers == heads == 1)),
    ):
        raise ValueError(
            f"values must have shape (layers={layers}, heads={heads}, key_len={key_len}, "
            f"head_dim), without the leading 1s if you like, got {tuple(values.shape)}"
        )
    return values.reshape(wanted)
