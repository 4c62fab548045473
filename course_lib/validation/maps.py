"""Checks of what is drawn as an attention map: numbers, weights, masks and labels."""

from collections.abc import Iterable

import numpy as np
import torch

from course_lib.validation.labels import (
    fitted,
    is_place,
    listed,
    shortened,
    spelt_out,
    without_space_signs,
)

# bfloat16 keeps 8 significant bits, so a row of its weights sums to 1 only within 1/256.
SUM_TOLERANCE = 1 / 256
MANY = 4_000_000  # so many numbers are kept in float32, and are sent in fewer bits
ROUNDING = 1e-6  # a weight may miss 0 or 1 by it
SINKS = " With attention sinks, elsewhere=True gives what a row lacks a column of its own."
LABEL_LETTERS = 24  # of a longer label, the beginning and the end are shown
IN_TRAIN = (
    ". Was the model in eval()? In train(), dropout changes the weights that some layers return."
)
EAGER = (
    "a transformers model returns weights when it is loaded with "
    'attn_implementation="eager" and called with output_attentions=True'
)


def plain_array(name: str, value: object, holds: str = "real numbers") -> np.ndarray:
    """Return a tensor, an array, or lists of them, as one array; ``holds`` says of what."""
    try:
        array = _without_tensors(name, value)
    except (TypeError, RuntimeError) as error:
        raise TypeError(f"{name} must be a tensor or an array of {holds}: {error}") from error
    if array.dtype.kind not in "fiub":
        got = getattr(value, "dtype", shortened(value))
        raise TypeError(f"{name} must be a tensor or an array of {holds}, got {got}")
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


def floats(name: str, tensor) -> torch.Tensor:
    """Return a float64 tensor on the CPU, a copy of a tensor, an array or lists of them.

    Of more than ``MANY`` numbers it is float32.
    """
    array = plain_array(name, tensor)
    if array.dtype.kind != "f":
        raise TypeError(f"{name} must have a floating dtype, got {array.dtype}")
    return torch.from_numpy(array.astype(_dtype_of(array), order="C"))


def _dtype_of(array: np.ndarray) -> type:
    return np.float64 if array.size <= MANY else np.float32


def finite_floats(name: str, tensor, most: float = torch.finfo(torch.float32).max) -> torch.Tensor:
    """Return what ``floats`` returns, without NaN and what lies beyond ``most``."""
    tensor = floats(name, tensor)
    wrong = ~(tensor.abs() <= most)
    if wrong.any():
        count = int(wrong.sum())
        raise ValueError(
            f"{name} must be finite, got {count} NaN, infinite or greater than {most:.2g}"
        )
    return tensor


def checked_weights(weights, dimensions: tuple[str, ...], if_less: str = "") -> np.ndarray:
    """Return the weights as an array of the named dimensions, or say what is wrong.

    It is float64, and float32 of more than ``MANY`` numbers.

    ``if_less`` is said where rows sum to less than 1, and none to more.
    """
    weights = plain_array("weights", weights)
    weights = weights.astype(_dtype_of(weights))  # a copy
    if weights.ndim != len(dimensions):
        hint = ""
        if weights.ndim == len(dimensions) + 1:
            part = "batch element" if dimensions[0] == "heads" else "head"
            hint = f"; pick one {part}, such as weights[0]"
        raise ValueError(
            f"weights must have shape ({', '.join(dimensions)}), got {weights.shape}{hint}"
        )
    if weights.size == 0:
        raise ValueError(f"weights must not be empty, got shape {weights.shape}")
    low, high = weights.min(), weights.max()
    if np.isnan(low):
        missing = np.isnan(weights)
        where = _where(dimensions, np.argwhere(missing)[0])
        raise ValueError(f"weights must be numbers, got {missing.sum()} NaN, the first at {where}")
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
            + (if_less if (sums < 1 + SUM_TOLERANCE).all() else "")
        )
    return weights.clip(0, 1, out=weights)


def _where(dimensions: Iterable[str], index: Iterable[int]) -> str:
    """Say where something is: "head 1, query 3"."""
    names = (name.removesuffix("_len").removesuffix("s") for name in dimensions)
    return ", ".join(f"{name} {int(i)}" for name, i in zip(names, index, strict=False))


def finished_weights(weights, batch: int | None, elsewhere: bool = False) -> np.ndarray:
    """Return one sequence's weights as float64 (layers, heads, query_len, key_len).

    ``AttentionExplorer.from_weights`` says what may come. What torch's ``MultiheadAttention``
    averages by default, (batch, query_len, key_len), is taken for (heads, query_len, key_len).
    With ``elsewhere``, what a row lacks to 1 becomes a key of its own, before all others.
    """
    is_layers = isinstance(weights, list | tuple)
    steps = [step for step in weights if isinstance(step, list | tuple)] if is_layers else []
    parts = [part for step in steps or [weights if is_layers else ()] for part in step]
    if weights is None or (is_layers and (not weights or any(part is None for part in parts))):
        got = "None" if weights is None else "None for some layers" if weights else "no layers"
        raise TypeError(f"weights must be a tensor or one for each layer, got {got}; {EAGER}")
    if parts and len(steps) == len(weights) and len(getattr(parts[0], "shape", ())) == 4:
        weights = [_rows_of_steps(layer) for layer in zip(*weights, strict=True)]
    array = plain_array("weights", _of_equal_heads(weights) if is_layers else weights)
    if not is_layers:
        _check_no_band(array)
    if not 2 <= array.ndim <= 5:
        raise ValueError(
            "weights must have shape (query_len, key_len), (heads, query_len, key_len), (layers, "
            "heads, query_len, key_len) or, with batch=, (batch, heads, query_len, key_len), "
            f"also in a list of layers, got {array.shape}"
        )
    if array.ndim == 5 or (array.ndim == 4 and not is_layers and batch is not None):
        size = array.shape[-4]
        if batch is None and size > 1:
            raise ValueError(
                f"weights hold a batch of {size}: say which with batch=0 to {size - 1}"
            )
        place = 0 if batch is None else batch
        if not is_place(place, size):
            raise ValueError(f"batch must be from 0 to {size - 1}, got {batch!r}")
        array = array[..., place, :, :, :]
    elif batch is not None:
        raise ValueError(
            f"batch must be None for {'layers' if is_layers else 'weights'} of shape "
            f"{array.shape[is_layers:]}, as a batch is (batch, heads, query_len, key_len), "
            f"got {batch!r}"
        )
    array = array.reshape((1,) * (4 - array.ndim) + array.shape)
    if elsewhere:
        rest = 1 - array.sum(axis=-1, keepdims=True, dtype=np.float64)
        array = np.concatenate((rest.clip(0), array), axis=-1)
    return checked_weights(array, ("layers", "heads", "query_len", "key_len"), SINKS)


def _rows_of_steps(steps) -> np.ndarray:
    """The rows of one layer in ``generate``, (batch, heads, query_len, key_len), each row once."""
    arrays = [plain_array("weights", step) for step in steps]
    longest, seen, rows = max(array.shape[-1] for array in arrays), 0, []
    for array in arrays:
        query_len, key_len = array.shape[-2:]
        new = query_len - seen if query_len > seen else query_len  # without a cache, all come again
        padding = [(0, 0)] * 3 + [(0, longest - key_len)]
        rows.append(np.pad(array[..., query_len - new :, :], padding))
        seen += new
    return np.concatenate(rows, axis=-2)


def _of_equal_heads(layers) -> list[np.ndarray]:
    """Give layers with fewer heads empty maps, behind their own."""
    arrays = [plain_array("weights", layer) for layer in layers]
    if min(array.ndim for array in arrays) < 3:
        return arrays
    for array in arrays:
        _check_no_band(array)
    shapes = list(dict.fromkeys(array.shape for array in arrays))
    is_square = all(len(shape) == 4 and shape[-2] == shape[-1] for shape in shapes)
    if is_square and len({shape[0] for shape in shapes}) > 1:
        raise ValueError(
            f"weights must be layers of one batch, got {shapes}. Swin's layers, whose maps are of "
            "windows of an image, have several first sizes: (num_windows * batch, heads, w, w) for "
            "the w patches of a window. Later layers have other windows, so show one window of one "
            "layer: from_weights(weights[0], its w patches, batch=0)"
        )
    most = max(array.shape[-3] for array in arrays)
    if all(array.shape[-3] == most for array in arrays):
        return arrays
    none = (0, 0)
    return [
        np.pad(array, [none] * (array.ndim - 3) + [(0, most - array.shape[-3]), none, none])
        for array in arrays
    ]


def _check_no_band(weights: np.ndarray) -> None:
    """Refuse rows over a band around each query, as Longformer returns them.

    Its last 2 * reach + 1 columns are 0 where they leave the text, and few are 0 within.
    """
    if weights.ndim < 2:
        return
    seen = np.array((weights > 0).any(axis=tuple(range(weights.ndim - 2))))  # (query_len, key_len)
    if not seen.any():
        return
    length = np.flatnonzero(seen.any(axis=1))[-1] + 1  # without padding at the end
    reach = int(seen[length - 1, ::-1].argmax())  # the last query sees itself, and no key after it
    if length < 3 or reach < 2 or (width := 2 * reach + 1) > weights.shape[-1]:
        return
    band = seen[:length, -width:]
    query, column = np.indices(band.shape)
    key = query + column - reach
    inside = (key >= 0) & (key < length)
    if not band[~inside].any() and band[inside].mean() > 0.5:
        raise ValueError(
            f"weights must have a column for each key, got {weights.shape} with a band around each "
            f"query: its cells before the first and after the last of {length} tokens are 0. "
            "Longformer's maps are so, (batch, heads, length, global tokens + window + 1): the "
            f"last {width} columns of row i are the keys i - {reach} to i + {reach}. Put the "
            "weights of each row at its keys first"
        )


def checked_mask(mask, weights: np.ndarray) -> np.ndarray:
    """Return which cells may hold weight, in the shape of the weights."""
    if mask is None:
        return np.ones(weights.shape, dtype=bool)
    allowed = boolean_mask(mask, weights.shape, "the weights")
    check_hidden(weights, allowed, "mask is False (True = may attend)")
    return allowed


def boolean_mask(mask, shape: tuple[int, ...], whose: str) -> np.ndarray:
    """Return a mask in this shape, which is that of ``whose``."""
    mask = plain_array("mask", mask, "booleans")
    if mask.dtype != bool:
        raise TypeError(f"mask must be boolean with True = may attend, got {mask.dtype}")
    try:
        return np.broadcast_to(mask, shape).copy()
    except ValueError as error:
        raise ValueError(
            f"mask must broadcast to the shape {shape} of {whose}, got {mask.shape}"
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
    """Return the tick labels of both axes, control characters spelt out, long ones shortened."""
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
    queries, keys = (
        [fitted(spelt_out(label), LABEL_LETTERS) for label in labels] for labels in (queries, keys)
    )
    return queries, keys
