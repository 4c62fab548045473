"""Finished weights as the attention explorer takes them: their logarithms serve as the scores."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from course_lib.attention.masks import causal_mask
from course_lib.validation.maps import check_hidden, checked_mask, finished_weights
from course_lib.validation.values import checked_yes_no, is_place, listed, shortened

MOST_TOKENS = 512
ROUNDED_TO_0 = 1e-8  # what a weight of 0 counts as where a mask allows it
# What finished weights do not go with, and why.
NOT_WITH_WEIGHTS = {
    "scale": "they do not tell the dot products",
    "variants": "they are one picture",
}


@dataclass(frozen=True)
class LogWeights:
    """Checked scores that are the logarithms of finished weights, NaN where masked."""

    scores: torch.Tensor


def shown_as_scores(
    weights: torch.Tensor | Sequence[torch.Tensor],
    tokens: Sequence[str],
    values: torch.Tensor | None,
    *,
    batch: int | None,
    elsewhere: bool,
    around: int | None,
    **arguments: Any,
) -> tuple[dict[str, Any], str]:
    """Return the arguments of an explorer that shows the weights, and which part of the text it is.

    All is as in ``AttentionExplorer.from_weights``; the part is "" for the whole text.
    """
    for name, why in NOT_WITH_WEIGHTS.items():
        if arguments.get(name) is not None:
            raise ValueError(
                f"{name} must be None with finished weights, as {why}, "
                f"got {shortened(arguments[name])}"
            )
    elsewhere = checked_yes_no("elsewhere", elsewhere)
    given = finished_weights(weights, batch, elsewhere)
    mask = arguments.pop("mask", None)
    keys, part = arguments.get("key_tokens"), ""
    if keys is None and given.shape[-1] > MOST_TOKENS:
        for name, argument in (("mask", mask), ("values", values)):
            if argument is not None:
                raise ValueError(f"{name} must be None for a part of a long text")
        tokens = listed("tokens", tokens)
        given, shown = _part_around(given, tokens, around, elsewhere)
        part = f"Tokens {shown.start} to {shown.stop - 1} of {len(tokens)}"
        arguments = {"query": (around or 0) - shown.start} | arguments
        tokens, elsewhere = tokens[shown.start : shown.stop], True
    elif around is not None:
        raise ValueError(f"around must be None for at most {MOST_TOKENS} tokens, got {around!r}")
    if elsewhere:
        if mask is not None:
            raise ValueError("mask must be None with elsewhere=True, which adds a column")
        names = listed("tokens", tokens if keys is None else keys)
        arguments["key_tokens"] = ["elsewhere", *names]
    if checked_yes_no("causal", arguments.get("causal", False)):
        check_hidden(given, causal_mask(*given.shape[-2:]).numpy(), "causal=True masks")
    scores = {"scores": _scores_of(given, mask), "tokens": tokens, "values": values}
    return scores | arguments, part


def _part_around(
    weights: np.ndarray, tokens: Sequence, around: int | None, elsewhere: bool
) -> tuple[np.ndarray, range]:
    """Return the weights around a token of a long text, and which tokens these are.

    Weights (layers, heads, length, length), with ``elsewhere`` one column more in front, become
    (layers, heads, n, 1 + n): in front stands what went to other keys.
    """
    length, place = len(tokens), 0 if around is None else around
    if weights.shape[-2:] != (length, length + elsewhere):
        raise ValueError(
            f"tokens must hold one text for each query and key, {weights.shape[-2]} of them, "
            f"got {length}"
        )
    if not is_place(place, length):
        raise ValueError(f"around must be a token from 0 to {length - 1}, got {around!r}")
    count = MOST_TOKENS - 1
    start = min(max(int(place) - count // 2, 0), length - count)
    rows = weights[..., start : start + count, :]
    part = rows[..., elsewhere + start : elsewhere + start + count]
    rest = rows.sum(axis=-1, keepdims=True) - part.sum(axis=-1, keepdims=True)
    return np.concatenate((rest.clip(0, 1), part), axis=-1), range(start, start + count)


def _scores_of(weights: np.ndarray, mask) -> LogWeights:
    """Return scores that have these weights, in the place of the weights.

    Without a mask, a weight of 0 is not. Where a mask allows it, it counts as ``ROUNDED_TO_0``.
    """
    if mask is None:
        allowed = weights > 0
    else:
        allowed = checked_mask(mask, weights)
        empty = allowed.any(axis=-1) & (weights.sum(axis=-1) == 0)
        if empty.any():
            raise ValueError(
                "weights must sum to 1 where mask allows attention, got 0 at (layer, head, query) "
                f"{tuple(np.argwhere(empty)[0].tolist())}"
            )
        weights[allowed & (weights == 0)] = ROUNDED_TO_0
    return LogWeights(
        torch.from_numpy(weights).log_().masked_fill_(torch.from_numpy(~allowed), math.nan)
    )
