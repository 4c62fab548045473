"""Checks of what is drawn as an attention map; each error names the argument and what came."""

import math
import unicodedata
from collections.abc import Sequence

import numpy as np
import torch

# bfloat16 keeps 8 significant bits, so a row of its weights sums to 1 only within 1/256.
SUM_TOLERANCE = 1 / 256
SCALES = ("0 to 1", "stretched")
STRETCHED_BELOW = 0.3
CONTROL = ("Cc", "Cs", "Zl", "Zp")  # control characters, half characters, line separators
UNSEEN = ("Cf", "Mn", "Me", "Zs")  # spaces, joiners, marks that sit on another character


def checked_weights(weights, dimensions: tuple[str, ...]) -> np.ndarray:
    """Return the weights as a float64 array of the named dimensions, or say what is wrong."""
    try:
        weights = np.array(_without_tensors(weights), dtype=np.float64)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"weights must be a tensor or an array of numbers: {error}") from error
    if weights.ndim != len(dimensions):
        hint = ""
        if weights.ndim == len(dimensions) + 1:
            one_of = "batch element" if dimensions[0] == "heads" else "head"
            hint = f"; pick one {one_of}, such as weights[0]"
        raise ValueError(
            f"weights must have shape ({', '.join(dimensions)}), got {weights.shape}{hint}"
        )
    if weights.size == 0:
        raise ValueError(f"weights must not be empty, got shape {weights.shape}")
    if np.isnan(weights).any():
        raise ValueError(f"weights must be numbers, got {np.isnan(weights).sum()} NaN")
    low, high = weights.min(), weights.max()
    if low < -1e-6 or high > 1 + 1e-6:
        raise ValueError(f"weights must lie between 0 and 1, got {low:.4g} to {high:.4g}")
    sums = np.atleast_1d(weights.sum(axis=-1))  # (1,), (query_len,) or (heads, query_len)
    wrong = (np.abs(sums - 1) > SUM_TOLERANCE) & (sums != 0)
    if wrong.any():
        first = tuple(int(i) for i in np.argwhere(wrong)[0])
        where = ", ".join(
            f"{n.removesuffix('_len').removesuffix('s')} {i}"
            for n, i in zip(dimensions, first, strict=False)
        )
        raise ValueError(
            f"weights must sum to 1 over the keys (or to 0 where there is nothing to attend to), "
            f"got {sums[first]:.4g}" + (f" for {where}" if weights.ndim > 1 else "")
        )
    return weights.clip(0, 1)


def _without_tensors(weights):
    """Return a tensor as an array; also in a list, for instance of one map for each head."""
    if isinstance(weights, torch.Tensor):
        return weights.detach().cpu().double().numpy()
    if isinstance(weights, list | tuple):
        return [_without_tensors(part) for part in weights]
    return weights


def highest_of_scale(scale: str, weights: np.ndarray) -> float:
    """Return the weight that has the darkest shade."""
    if scale not in SCALES:
        raise ValueError(f"scale must be one of {', '.join(map(repr, SCALES))}, got {scale!r}")
    if scale == "0 to 1":
        return 1.0
    largest = weights.max()
    if largest >= STRETCHED_BELOW:
        raise ValueError(
            f"scale may be 'stretched' only where all weights are below {STRETCHED_BELOW}, "
            f"got one of {largest:.4g}"
        )
    return max(math.ceil(20 * largest), 1) / 20


def checked_mask(mask, weights: np.ndarray) -> np.ndarray:
    """Return which cells may hold weight, in the shape of the weights."""
    if mask is None:
        return np.ones(weights.shape, dtype=bool)
    try:
        mask = mask.detach().cpu().numpy() if isinstance(mask, torch.Tensor) else np.asarray(mask)
    except (TypeError, ValueError) as error:
        raise TypeError(f"mask must be a tensor or an array of booleans: {error}") from error
    if mask.dtype != bool:
        raise TypeError(f"mask must be boolean with True = may attend, got {mask.dtype}")
    try:
        allowed = np.broadcast_to(mask, weights.shape)
    except ValueError as error:
        raise ValueError(
            f"mask must broadcast to the weights' shape {weights.shape}, got {mask.shape}"
        ) from error
    leaked = ~allowed & (weights > 0)
    if leaked.any():
        first = tuple(int(i) for i in np.argwhere(leaked)[0])
        raise ValueError(
            f"weights must be 0 where mask is False (True = may attend), got "
            f"{weights[first]:.4g} at index {first} and {leaked.sum()} such cells"
        )
    return allowed


def checked_labels(
    query_labels: Sequence | None, key_labels: Sequence | None, query_len: int, key_len: int
) -> tuple[list[str], list[str]]:
    """Return the tick labels of both axes, control characters spelt out."""
    for name, labels in (("query_labels", query_labels), ("key_labels", key_labels)):
        if isinstance(labels, str) or not (labels is None or hasattr(labels, "__len__")):
            raise TypeError(f"{name} must be a list of texts, one for each cell, got {labels!r}")
    if query_labels is not None and len(query_labels) != query_len:
        raise ValueError(
            f"query_labels must hold {query_len} labels, one for each query, "
            f"got {len(query_labels)}"
        )
    if key_labels is None:
        key_labels = query_labels if query_len == key_len else None
    elif len(key_labels) != key_len:
        raise ValueError(
            f"key_labels must hold {key_len} labels, one for each key, got {len(key_labels)}"
        )
    query_labels = range(query_len) if query_labels is None else query_labels
    key_labels = range(key_len) if key_labels is None else key_labels
    return (
        [spelt_out(label) for label in query_labels],
        [spelt_out(label) for label in key_labels],
    )


def checked_yes_no(name: str, value: object) -> bool:
    """Return the boolean; a text such as "no" would count as True."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def spelt_out(token: object) -> str:
    """Return the token as text that can be seen, in one line.

    Control characters are spelt out (``\\n``), and so is a token in which nothing can be seen: a
    space becomes ``␣``, and a token without any character ``(empty)``. All else stays as it is.
    """
    text = str(token)
    if not text:
        return "(empty)"
    nothing = all(unicodedata.category(one) in UNSEEN for one in text)
    return "".join(
        "␣" if nothing and one == " " else _escape(one) if _is_control(one, nothing) else one
        for one in text
    )


def _is_control(character: str, in_unseen: bool) -> bool:
    kinds = CONTROL + UNSEEN if in_unseen else CONTROL
    return unicodedata.category(character) in kinds or character in "\ufffe\uffff"


def _escape(character: str) -> str:
    """Return ``\\n`` for a new line, ``\\x1b`` or ``\\u2028`` for what has no letter."""
    code = ord(character)
    wide = (
        f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}" if code > 0xFF else f"\\x{code:02x}"
    )
    return {"\n": r"\n", "\r": r"\r", "\t": r"\t"}.get(character, wide)
