"""Checks of what is drawn as an attention map; each error names the argument and what came."""

import math
import unicodedata
from collections.abc import Iterable, Mapping, Set

import numpy as np
import torch

# bfloat16 keeps 8 significant bits, so a row of its weights sums to 1 only within 1/256.
SUM_TOLERANCE = 1 / 256
ROUNDING = 1e-6  # a weight may miss 0 or 1 by it
SCALES = ("0 to 1", "stretched")
STRETCHED_BELOW = 0.3
CONTROL = ("Cc", "Cs", "Zl", "Zp")  # control characters, half characters, line separators
UNSEEN = ("Cf", "Mn", "Me", "Zs")  # spaces, joiners, marks that sit on another character
SPACE_SIGNS = "Ġ▁"
SPACES = str.maketrans({"Ġ": " ", "▁": " ", "Ċ": "\n"})
MOST_LETTERS = 60  # of a wrong value in an error
IN_TRAIN = (
    ". Was the model in eval()? In train(), dropout changes the weights that some layers return."
)


def shortened(value: object) -> str:
    """Return a value as an error shows it."""
    text = repr(value)
    return text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…"


def plain_array(name: str, value: object, of: str = "real numbers") -> np.ndarray:
    """Return a tensor, an array, or lists of them, as one array; ``of`` says what it holds."""
    try:
        array = _without_tensors(name, value)
    except (TypeError, RuntimeError) as error:
        raise TypeError(f"{name} must be a tensor or an array of {of}: {error}") from error
    if array.dtype.kind not in "fiub":
        got = getattr(value, "dtype", shortened(value))
        raise TypeError(f"{name} must be a tensor or an array of {of}, got {got}")
    return array


def _without_tensors(name: str, value) -> np.ndarray:
    if isinstance(value, torch.Tensor):
        value = value.detach().cpu()
        value = value if value.layout == torch.strided else value.to_dense()
        is_numpys = value.dtype in (torch.float16, torch.float32, torch.float64)
        return (value.double() if value.is_floating_point() and not is_numpys else value).numpy()
    if isinstance(value, list | tuple):
        parts = [_without_tensors(name, part) for part in value]
        if len(shapes := {part.shape for part in parts}) > 1:
            raise ValueError(f"{name} must have parts of one shape, got {sorted(shapes)}")
        return np.array(parts)
    if np.ma.is_masked(value):
        raise ValueError(
            f"{name} must have no masked cells, got {np.ma.count_masked(value)}: fill them, as in "
            "x.filled(0), and say with mask=~x.mask (True = may attend) where there is no attention"
        )
    return np.asarray(value)


def checked_weights(weights, dimensions: tuple[str, ...]) -> np.ndarray:
    """Return the weights as a float64 array of the named dimensions, or say what is wrong."""
    weights = plain_array("weights", weights).astype(np.float64)
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
    if (missing := np.isnan(weights)).any():
        where = _where(dimensions, np.argwhere(missing)[0])
        raise ValueError(f"weights must be numbers, got {missing.sum()} NaN, the first at {where}")
    low, high = weights.min(), weights.max()
    if low < -ROUNDING or high > 1 + ROUNDING:
        raise ValueError(
            f"weights must lie between 0 and 1, got {low:.4g} to {high:.4g}"
            + (IN_TRAIN if low >= 0 else "")
        )
    sums = np.atleast_1d(weights.sum(axis=-1))  # (1,), (query_len,) or (heads, query_len)
    wrong = (np.abs(sums - 1) > SUM_TOLERANCE) & (sums != 0)
    if wrong.any():
        first = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(
            f"weights must sum to 1 over the keys (or to 0 where there is nothing to attend to), "
            f"got {sums[first]:.4g}"
            + (f" for {_where(dimensions, first)}" if weights.ndim > 1 else "")
            + IN_TRAIN
        )
    return weights.clip(0, 1)


def _where(dimensions: Iterable[str], index: Iterable[int]) -> str:
    """Say where something is: "head 1, query 3"."""
    names = (name.removesuffix("_len").removesuffix("s") for name in dimensions)
    return ", ".join(f"{name} {int(i)}" for name, i in zip(names, index, strict=False))


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
    allowed = boolean_mask(mask, weights.shape, "the weights")
    check_hidden(weights, allowed, "mask is False (True = may attend)")
    return allowed


def boolean_mask(mask, shape: tuple[int, ...], of: str) -> np.ndarray:
    """Return a mask in this shape, which is the shape ``of`` something."""
    mask = plain_array("mask", mask, "booleans")
    if mask.dtype != bool:
        raise TypeError(f"mask must be boolean with True = may attend, got {mask.dtype}")
    try:
        return np.broadcast_to(mask, shape).copy()
    except ValueError as error:
        raise ValueError(
            f"mask must broadcast to the shape {shape} of {of}, got {mask.shape}"
        ) from error


def check_hidden(weights: np.ndarray, allowed: np.ndarray, where: str) -> None:
    """Refuse a mask that hides weight; ``where`` says what hides it."""
    hidden = np.where(allowed, 0, weights)
    largest = tuple(int(i) for i in np.unravel_index(hidden.argmax(), hidden.shape))
    if hidden[largest] > ROUNDING:
        raise ValueError(
            f"weights must be 0 where {where}, got {hidden[largest]:.4g} at index {largest}, "
            f"the largest of {(hidden > ROUNDING).sum()} such cells"
        )


def checked_labels(
    query_labels: Iterable | None, key_labels: Iterable | None, query_len: int, key_len: int
) -> tuple[list[str], list[str]]:
    """Return the tick labels of both axes, control characters spelt out."""
    queries = listed("query_labels", range(query_len) if query_labels is None else query_labels)
    if key_labels is None:
        key_labels = queries if query_len == key_len else range(key_len)
    keys = listed("key_labels", key_labels)
    queries, keys = without_space_signs(queries), without_space_signs(keys)
    for axis, labels, length in (("query", queries, query_len), ("key", keys, key_len)):
        if len(labels) != length:
            raise ValueError(
                f"{axis}_labels must hold {length} labels, one for each {axis}, got {len(labels)}"
            )
    return [spelt_out(label) for label in queries], [spelt_out(label) for label in keys]


def listed(name: str, texts) -> list:
    """Return texts in their order; what has none, such as a set, is refused."""
    if isinstance(texts, str | bytes):
        raise TypeError(f"{name} must be a list of texts, got one text: split it first")
    try:
        if isinstance(texts, Mapping | Set):  # no order, or no texts
            raise TypeError
        return list(texts.tolist() if isinstance(texts, torch.Tensor) else texts)
    except TypeError as error:
        raise TypeError(f"{name} must be a list of texts, got {type(texts).__name__}") from error


def without_space_signs(tokens: Iterable) -> list:
    """Return the tokens with a space for the signs that tokenizers write for it, Ġ and ▁.

    ``tokenizer.convert_ids_to_tokens`` returns them. Where a token has a space, none is a sign.
    """
    texts = list(tokens)
    words = [one for one in texts if isinstance(one, str)]
    if any(" " in word for word in words) or not any(
        word[:1] in SPACE_SIGNS for word in words if word
    ):
        return texts
    return [one.translate(SPACES) if isinstance(one, str) else one for one in texts]


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
    text = str(token.tolist() if isinstance(token, torch.Tensor) else token)
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
