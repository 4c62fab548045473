"""What the attention explorer takes, in one form for each variant, and what the browser gets."""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import torch

from course_lib.attention.masks import causal_mask
from course_lib.validation.maps import MANY, boolean_mask, finite_floats, floats
from course_lib.validation.values import checked_mapping, checked_tokens
from course_lib.widgets.explorer_weights import MOST_TOKENS, LogWeights
from course_lib.widgets.packed_numbers import (
    FEW,
    packed,
    packed_scores,
    packed_weights,
    value_bits,
)

CUT = (
    ". Cut out a part, as in tokens[a:b] with scores[..., a:b, a:b], whose softmax is then over "
    "these keys alone. Or give finished weights: from_weights(weights, tokens, around=a place)"
)
FILL = -9000.0  # no score: -1e4, -1e9 and finfo.min stand for "masked"
ORDERS = ("layer", "entropy", "previous", "first", "diagonal", "this cell")


@dataclass(frozen=True)
class Maps:
    """Name of a variant -> what it holds; the name is "" where there are no variants."""

    queries: dict[str, list[str]]
    keys: dict[str, list[str]]
    scores: dict[str, torch.Tensor]  # (layers, heads, query_len, key_len), NaN = masked
    values: dict[str, torch.Tensor | None]  # (layers, heads, key_len, head_dim)

    @property
    def heads(self) -> torch.Size:
        """How many layers there are, and how many heads in each."""
        return next(iter(self.scores.values())).shape[:2]


def checked_maps(
    scores,
    tokens: Sequence[str] | Mapping[str, Sequence[str]],
    values,
    key_tokens: Sequence[str] | None,
    mask,
    causal: bool,
    variants: Mapping | None,
) -> Maps:
    """Return the inputs of ``AttentionExplorer`` in one form, or say what is wrong with them.

    ``mask`` may hold one for each variant; ``LogWeights`` have theirs.
    """
    pairs = _variant_pairs(scores, values, variants)
    queries = _tokens_of_variants(tokens, list(pairs))
    maps = Maps(queries, {}, {}, {})
    of_weights = isinstance(scores, LogWeights)
    for name, (scores, values) in pairs.items():
        keys = queries[name]
        if key_tokens is not None:
            keys = checked_tokens("key_tokens", key_tokens, MOST_TOKENS, CUT)
        label = "scores" if variants is None else f"scores of variant {name!r}"
        scores = _checked_scores(label, scores, queries[name], keys, key_tokens is not None)
        first = next(iter(maps.scores.values()), scores)
        if scores.shape[:2] != first.shape[:2]:
            raise ValueError(
                f"{label} must have as many layers and heads as the first variant's "
                f"{tuple(first.shape)} (layers, heads, query_len, key_len), "
                f"got {tuple(scores.shape)}"
            )
        of_variant = mask
        if isinstance(mask, Mapping):
            if name not in mask:
                raise ValueError(f"mask must hold one for each variant, got none for {name!r}")
            of_variant = mask[name]
        maps.scores[name] = (
            scores if of_weights else _masked_scores(label, scores, of_variant, causal)
        )
        maps.values[name] = None if values is None else _checked_values(values, scores)
        maps.keys[name] = keys
    dims = {None if v is None else v.shape[-1] for v in maps.values.values()}
    if len(dims) > 1:
        raise ValueError(f"values must have the same head_dim in all variants, got {dims}")
    return maps


def content_for_the_browser(
    maps: Maps,
    *,
    is_self: bool,
    causal: bool,
    untrained: bool,
    scale: float | None,
    coldest: float,
    of_weights: bool,
) -> dict[str, Any]:
    """Return the trait ``_data``: see ``widgets_js/src/explorer/data.js``.

    ``is_self`` says that keys and queries are the same tokens. ``untrained`` marks all variants;
    one of that name is marked in any case. Weights must be right down to the temperature
    ``coldest``. ``of_weights`` says that the scores are logarithms of weights: of very many, the
    weights are sent, for one temperature.
    """
    layers, heads = maps.heads
    count = sum(scores.numel() for scores in maps.scores.values())
    many = of_weights and count > MANY
    few = count <= FEW
    given = [values for values in maps.values.values() if values is not None]
    bits = value_bits(sum(values.numel() for values in given))
    future = (scores[..., ~causal_mask(*scores.shape[-2:])] for scores in maps.scores.values())
    variants = []
    for name, scores in maps.scores.items():
        values = maps.values[name]
        variants.append(
            {
                "name": name,
                "untrained": untrained or name == "untrained",
                "queries": maps.queries[name],
                "keys": None if is_self else maps.keys[name],
                "scores": packed_weights(scores) if many else packed_scores(scores, few, coldest),
                "values": None if values is None else packed(values, bits),
            }
        )
    return {
        "layers": layers,
        "heads": heads,
        "head_dim": given[0].shape[-1] if given else 0,
        "maskable": not many
        and (is_self or causal)
        and any(bool(part.isfinite().any()) for part in future),
        "is_self": is_self,
        "scale": _checked_scale(scale),
        "of_weights": of_weights,
        "fixed": many,
        "part": "",
        "picture": None,
        "variants": variants,
    }


def _variant_pairs(scores, values, variants) -> dict[str, tuple]:
    """Return name -> (scores, values)."""
    if variants is None:
        if scores is None:
            raise ValueError("scores must be a tensor when there are no variants, got None")
        return {"": (scores, values)}
    if scores is not None or values is not None:
        raise ValueError(
            "scores and values must be None when variants are given: put them there, got "
            + " and ".join(["scores"] * (scores is not None) + ["values"] * (values is not None))
        )
    if not checked_mapping("variants", variants, "name -> scores"):
        raise ValueError("variants must hold at least one name, got none")
    pairs = {
        str(name): pair if isinstance(pair, tuple) else (pair, None)
        for name, pair in variants.items()
    }
    for name, pair in pairs.items():
        if len(pair) != 2:
            raise ValueError(
                f"variant {name!r} must be scores or (scores, values), got {len(pair)}"
            )
    return pairs


def _tokens_of_variants(tokens, names: list[str]) -> dict[str, list[str]]:
    """Return the tokens of each variant; they may have one list for all."""
    if not isinstance(tokens, Mapping):
        return dict.fromkeys(names, checked_tokens("tokens", tokens, MOST_TOKENS, CUT))
    if names == [""] and len(tokens) != 1:
        raise TypeError("tokens must be a list of texts where there are no variants, got a dict")
    tokens = {str(name): texts for name, texts in tokens.items()}
    if sorted(tokens) != sorted(names):
        raise ValueError(
            f"tokens must hold a list for each variant {names}, got {list(map(str, tokens))}"
        )
    return {
        name: checked_tokens(f"tokens of variant {name!r}", tokens[name], MOST_TOKENS, CUT)
        for name in names
    }


def _checked_scores(name, scores, tokens, keys, is_cross) -> torch.Tensor:
    """Return the scores as (layers, heads, query_len, key_len), also of a list of layers."""
    scores = scores.scores if isinstance(scores, LogWeights) else floats(name, scores)
    if not 2 <= scores.dim() <= 4:
        raise ValueError(
            f"{name} must have shape (query_len, key_len), (heads, query_len, key_len) or "
            f"(layers, heads, query_len, key_len), got {tuple(scores.shape)}"
        )
    if 0 in scores.shape[:-2]:
        raise ValueError(f"{name} must hold at least one head, got shape {tuple(scores.shape)}")
    given = "scores or weights" if name == "scores" else name
    given = f"{given} of shape {tuple(scores.shape)}"
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


def _masked_scores(name, scores, mask, causal) -> torch.Tensor:
    """Return the scores, NaN where attention is never allowed."""
    if mask is None:
        allowed = torch.ones_like(scores, dtype=torch.bool)
    else:
        hint = "" if name == "scores" else " (a dict, name -> mask, gives each its own)"
        allowed = torch.from_numpy(boolean_mask(mask, tuple(scores.shape), f"the {name}{hint}"))
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
            f"{name} must be finite float32 above {FILL:.0f} where the mask allows attention, got "
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


def _checked_scale(scale: float | None) -> float | None:
    """Return what the dot products were multiplied with, or None."""
    if scale is None:
        return None
    number = math.nan
    with suppress(TypeError, ValueError, RuntimeError):
        number = math.nan if isinstance(scale, str | bool) else float(scale)
    if not 0 < number < math.inf:
        raise ValueError(f"scale must be above 0, got {scale!r}")
    return number
