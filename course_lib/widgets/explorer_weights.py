"""Finished weights as the attention explorer takes them: their logarithms serve as the scores."""

import base64
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from PIL import Image

from course_lib.attention.masks import causal_mask
from course_lib.validation.labels import is_place, listed
from course_lib.validation.layer_inputs import check_flags
from course_lib.validation.maps import check_hidden, checked_mask, finished_weights, plain_array

MOST_TOKENS = 512
MOST_PIXELS = (512, 512)  # a larger picture is made smaller
ROUNDED_TO_0 = 1e-8  # what a weight of 0 counts as where a mask allows it


@dataclass(frozen=True)
class LogWeights:
    """Checked scores that are the logarithms of finished weights, NaN where masked."""

    scores: torch.Tensor


def shown_as_scores(
    weights: torch.Tensor | Sequence[torch.Tensor],
    tokens: Sequence[str] | None,
    values: torch.Tensor | None,
    *,
    batch: int | None,
    elsewhere: bool,
    around: int | None,
    picture: Any,
    **arguments: Any,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the arguments of an explorer that shows the weights, and what the browser gets too:

    which "part" of the text it is, "" for all of it, and the "picture", see ``_patches_of``. All is
    as in ``AttentionExplorer.from_weights``.
    """
    causal = arguments.get("causal", False)
    check_flags(elsewhere=elsewhere, causal=causal)
    given = finished_weights(weights, batch, elsewhere)
    mask = arguments.pop("mask", None)
    keys, part = arguments.get("key_tokens"), ""
    patches: dict[str, Any] | None = None
    if picture is not None:
        patches, names = _patches_of(picture, given.shape[-1] - elsewhere)
        tokens = names if tokens is None else tokens
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
    if causal:
        check_hidden(given, causal_mask(*given.shape[-2:]).numpy(), "causal=True masks")
    scores = {"scores": _scores_of(given, mask), "tokens": tokens, "values": values}
    return scores | arguments, {"part": part, "picture": patches}


def _patches_of(picture: Any, count: int) -> tuple[dict[str, Any], list[str]]:
    """Return a picture that ``count`` keys are square patches of, and the names of these keys.

    Of the picture come its "address" and how many "rows" and "columns" of patches it has. One key
    more than patches is [CLS], in front of them.
    """
    if count > MOST_TOKENS:
        raise ValueError(f"picture must have at most {MOST_TOKENS} keys beside it, got {count}")
    pixels = plain_array("picture", picture)
    if pixels.ndim not in (2, 3) or pixels.shape[2:] not in ((), (3,)) or pixels.size == 0:
        hint = ": its channels come first, so give picture.permute(1, 2, 0)"
        raise ValueError(
            f"picture must have shape (H, W) or (H, W, 3), got {pixels.shape}"
            + hint * (pixels.ndim == 3 and pixels.shape[0] == 3)
        )
    if pixels.dtype.kind == "f" and pixels.min() >= 0 and pixels.max() <= 1:  # NaN is neither
        pixels = (255 * pixels).round().astype(np.uint8)
    if pixels.dtype != np.uint8:
        raise ValueError(
            "picture must hold uint8, or floats from 0 to 1, and no normalised pixels, got "
            f"{pixels.dtype} from {pixels.min():.4g} to {pixels.max():.4g}"
        )
    height, width = pixels.shape[:2]
    for patches in (count, count - 1):
        rows = math.isqrt(patches * height // width)
        if rows and rows * rows * width == patches * height and patches % rows == 0:
            break
    else:
        raise ValueError(
            "picture must fall into as many square patches as there are keys, or one less beside "
            f"[CLS], cut to the shape that the model saw: got {height} by {width} pixels for "
            f"{count} keys"
        )
    small, png = Image.fromarray(pixels), io.BytesIO()
    small.thumbnail(MOST_PIXELS)
    small.save(png, "PNG")
    address = "data:image/png;base64," + base64.b64encode(png.getvalue()).decode()
    columns = patches // rows
    names = [f"{row},{column}" for row in range(rows) for column in range(columns)]
    names = ["[CLS]"] * (count - patches) + names
    return {"address": address, "rows": rows, "columns": columns}, names


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
