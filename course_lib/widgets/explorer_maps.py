"""What the attention explorer keeps of its inputs, by variant, and what the browser gets of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from course_lib.widgets.attention_inputs import (
    check_same_heads,
    checked_head_scores,
    checked_scale,
    checked_scores,
    checked_values,
    mask_of_variant,
    masked_scores,
    shows_the_future,
    tokens_of_variants,
    variant_pairs,
)
from course_lib.widgets.checking import checked_tokens
from course_lib.widgets.packed_numbers import FEW, packed, packed_scores, value_bits

MOST_TOKENS = 512


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

    ``mask`` may hold one for each variant.
    """
    pairs = variant_pairs(scores, values, variants)
    queries = tokens_of_variants(tokens, list(pairs), MOST_TOKENS)
    maps = Maps(queries, {}, {}, {})
    for name, (scores, values) in pairs.items():
        keys = queries[name]
        if key_tokens is not None:
            keys = checked_tokens("key_tokens", key_tokens, MOST_TOKENS)
        label = "scores" if variants is None else f"scores of variant {name!r}"
        scores = checked_scores(label, scores, queries[name], keys, key_tokens is not None)
        check_same_heads(label, scores, next(iter(maps.scores.values()), scores))
        maps.scores[name] = masked_scores(label, scores, mask_of_variant(mask, name), causal)
        maps.values[name] = None if values is None else checked_values(values, scores)
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
    head_scores: Mapping | None,
    scale: float | None,
    coldest: float,
) -> dict[str, Any]:
    """Return the trait ``_data``: see ``widgets_js/src/explorer/data.js``.

    Args:
        is_self: keys and queries are the same tokens.
        untrained: mark all variants; one that is called "untrained" is marked in any case.
        coldest: the temperature down to which the weights must be right.
    """
    layers, heads = maps.heads
    few = sum(one.numel() for one in maps.scores.values()) <= FEW
    given = [one for one in maps.values.values() if one is not None]
    bits = value_bits(sum(one.numel() for one in given))
    variants = []
    for name, scores in maps.scores.items():
        values = maps.values[name]
        variants.append(
            {
                "name": name,
                "untrained": untrained or name == "untrained",
                "queries": maps.queries[name],
                "keys": None if is_self else maps.keys[name],
                "scores": packed_scores(scores, few, coldest),
                "values": None if values is None else packed(values, bits),
            }
        )
    return {
        "layers": layers,
        "heads": heads,
        "head_dim": given[0].shape[-1] if given else 0,
        "maskable": (is_self or causal) and shows_the_future(maps.scores.values()),
        "is_self": is_self,
        "head_scores": checked_head_scores(head_scores, layers, heads),
        "scale": checked_scale(scale),
        "of_weights": False,
        "variants": variants,
    }
