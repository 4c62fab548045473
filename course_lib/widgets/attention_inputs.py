"""What the attention explorer takes, brought to one form; each error names what came."""

import math
from collections.abc import Iterable, Mapping
from numbers import Integral

import numpy as np
import torch
import traitlets

from course_lib.attention.masks import causal_mask
from course_lib.figures.map_validation import (
    SUM_TOLERANCE,
    boolean_mask,
    checked_mask,
    checked_weights,
    plain_array,
)
from course_lib.widgets.checking import (
    checked_mapping,
    checked_tokens,
    finite_floats,
    floats,
)

ROUNDED_TO_0 = 1e-8  # what a weight of 0 counts as where a mask allows it
SINKS = "With attention sinks, rows sum to less: elsewhere=True gives the rest a column of its own."
FILL = -9000.0  # no score: -1e4, -1e9 and finfo.min stand for "masked"
OWN_SCORES = ("layer", "entropy", "previous", "first", "diagonal", "this cell")
EAGER = (
    "a transformers model returns weights when it is loaded with "
    'attn_implementation="eager" and called with output_attentions=True'
)


def finished_weights(weights, batch: int | None, elsewhere: bool = False) -> np.ndarray:
    """Return one sequence's weights as float64 (layers, heads, query_len, key_len).

    Args:
        weights: a tensor or an array, (query_len, key_len), (heads, query_len, key_len) or
            (layers, heads, query_len, key_len), or, with ``batch``, (batch, heads, query_len,
            key_len). Or a list or tuple with one for each layer, (heads, query_len, key_len) or
            (batch, heads, query_len, key_len), such as ``outputs.attentions`` of a transformers
            model, or what torch's ``MultiheadAttention`` returns with
            ``average_attn_weights=False``. What it averages by default, (batch, query_len,
            key_len), is taken for (heads, query_len, key_len). Or what ``generate`` returns: for
            each step one tensor for each layer.
        batch: which element of the batch; may be None where there is one.
        elsewhere: whether what a row lacks to 1 becomes a key of its own, before all others.
    """
    is_layers = isinstance(weights, list | tuple)
    steps = is_layers and [one for one in weights if isinstance(one, list | tuple)]
    parts = [part for one in steps or [weights if is_layers else ()] for part in one]
    if weights is None or (is_layers and (not weights or any(part is None for part in parts))):
        got = "None" if weights is None else "None for some layers" if weights else "no layers"
        raise TypeError(f"weights must be a tensor or one for each layer, got {got}; {EAGER}")
    if is_layers and _is_steps(weights):
        weights = [_joined(steps) for steps in zip(*weights, strict=True)]
    array = plain_array("weights", _of_equal_heads(weights) if is_layers else weights)
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
        if isinstance(place, bool) or not isinstance(place, Integral) or not 0 <= place < size:
            raise ValueError(f"batch must be from 0 to {size - 1}, got {batch!r}")
        array = array[..., place, :, :, :]
    elif batch is not None:
        raise ValueError(
            f"batch must be None for {'layers' if is_layers else 'weights'} of shape "
            f"{array.shape[is_layers:]}, as a batch is (batch, heads, query_len, key_len), "
            f"got {batch!r}"
        )
    array = array.reshape((1,) * (4 - array.ndim) + array.shape)
    dimensions = ("layers", "heads", "query_len", "key_len")
    sums = array.sum(axis=-1, keepdims=True, dtype=np.float64)
    if elsewhere:
        array = np.concatenate(((1 - sums).clip(0), array), axis=-1)
    elif ((sums > 0) & (sums < 1 - SUM_TOLERANCE)).any() and (sums < 1 + SUM_TOLERANCE).all():
        try:
            return checked_weights(array, dimensions)
        except ValueError as error:
            raise ValueError(f"{error} {SINKS}") from error
    return checked_weights(array, dimensions)


def _is_steps(weights) -> bool:
    """Whether these are the steps of ``generate``, each with one tensor for each layer."""
    first = weights[0]
    return isinstance(first, list | tuple) and len(getattr((*first, None)[0], "shape", ())) == 4


def _joined(steps) -> np.ndarray:
    """The rows of one layer's steps, (batch, heads, query_len, key_len), each row once."""
    arrays = [plain_array("weights", one) for one in steps]
    longest, seen, rows = max(one.shape[-1] for one in arrays), 0, []
    for one in arrays:
        query_len, key_len = one.shape[-2:]
        new = query_len - seen if query_len > seen else query_len  # without a cache, all come again
        padding = [(0, 0)] * 3 + [(0, longest - key_len)]
        rows.append(np.pad(one[..., query_len - new :, :], padding))
        seen += new
    return np.concatenate(rows, axis=-2)


def _of_equal_heads(layers):
    """Give layers with fewer heads empty maps, behind their own."""
    arrays = [plain_array("weights", one) for one in layers]
    if min(one.ndim for one in arrays) < 3:
        return arrays
    most = max(one.shape[-3] for one in arrays)
    padding = [
        [(0, 0)] * (one.ndim - 3) + [(0, most - one.shape[-3]), (0, 0), (0, 0)] for one in arrays
    ]
    return [np.pad(*one) for one in zip(arrays, padding, strict=True)]


def scores_of_weights(weights: np.ndarray, mask) -> tuple[torch.Tensor, torch.Tensor]:
    """Return scores that have these weights, and where attention is allowed.

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
    scores = np.where(allowed & (weights == 0), ROUNDED_TO_0, weights)
    return torch.from_numpy(scores).log(), torch.from_numpy(allowed)


def checked_head_scores(head_scores: Mapping | None, layers: int, heads: int) -> dict[str, list]:
    """Return name -> numbers of all heads, layer by layer, of what the overview may sort by."""
    result: dict[str, list] = {}
    given = {} if head_scores is None else head_scores
    for name, numbers in checked_mapping("head_scores", given, "name -> numbers").items():
        label = f"head_scores[{name!r}]"
        numbers = finite_floats(label, numbers)
        if tuple(numbers.shape) not in ((layers, heads), *([(heads,)] * (layers == 1))):
            raise ValueError(
                f"{label} must have shape (layers={layers}, heads={heads}), "
                f"got {tuple(numbers.shape)}"
            )
        if name in OWN_SCORES:
            raise ValueError(f"head_scores may not hold {name!r}: the widget computes that itself")
        result[str(name)] = [float(f"{number:.6g}") for number in numbers.flatten().tolist()]
    return result


def variant_pairs(scores, values, variants) -> dict[str, tuple]:
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


def checked_scores(name, scores, tokens, keys, is_cross) -> torch.Tensor:
    """Return the scores as (layers, heads, query_len, key_len), also of a list of layers."""
    scores = floats(name, scores)
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
    return (
        scores.reshape(-1 if scores.dim() == 4 else 1, *scores[None].shape[-3:])
        if (scores.dim() > 2)
        else scores[None, None]
    )


def check_same_heads(name: str, scores: torch.Tensor, first: torch.Tensor) -> None:
    """Refuse a variant with other layers or heads than the first; its sentence may be longer."""
    if scores.shape[:2] != first.shape[:2]:
        raise ValueError(
            f"{name} must have as many layers and heads as the first variant's "
            f"{tuple(first.shape)} (layers, heads, query_len, key_len), got {tuple(scores.shape)}"
        )


def shows_the_future(scores: Iterable[torch.Tensor]) -> bool:
    """Whether a causal mask would hide anything that is not masked (NaN) already."""
    future = [one[..., ~causal_mask(*one.shape[-2:])] for one in scores]
    return any(bool(one.isfinite().any()) for one in future)


def masked_scores(name, scores, mask, causal) -> torch.Tensor:
    """Return the scores, NaN where attention is never allowed."""
    if mask is None:
        allowed = torch.ones_like(scores, dtype=torch.bool)
    else:
        hint = "" if name == "scores" else " (a dict, name -> mask, gives each its own)"
        allowed = torch.from_numpy(boolean_mask(mask, tuple(scores.shape), f"the {name}{hint}"))
    is_fill = scores <= FILL  # also of -inf
    if causal:  # scores that are already masked this way, with -inf or -1e9, are fine
        allowed = allowed & (causal_mask(*scores.shape[-2:]) | ~is_fill)
    wrong = allowed & (is_fill | ~(scores.abs() <= torch.finfo(torch.float32).max))
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
    return scores.masked_fill(~allowed, math.nan)


def checked_values(values, scores) -> torch.Tensor:
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


def tokens_of_variants(tokens, names: list[str], most: int) -> dict[str, list[str]]:
    """Return the tokens of each variant, ``most`` at most; they may have one list for all."""
    if not isinstance(tokens, Mapping):
        return dict.fromkeys(names, checked_tokens("tokens", tokens, most))
    if names == [""] and len(tokens) != 1:
        raise TypeError("tokens must be a list of texts where there are no variants, got a dict")
    tokens = {str(name): texts for name, texts in tokens.items()}
    if sorted(tokens) != sorted(names):
        raise ValueError(
            f"tokens must hold a list for each variant {names}, got {list(map(str, tokens))}"
        )
    return {
        name: checked_tokens(f"tokens of variant {name!r}", tokens[name], most) for name in names
    }


def checked_scale(scale: float | None) -> float | None:
    """Return what the dot products were multiplied with, or None."""
    if scale is None:
        return None
    try:
        number = math.nan if isinstance(scale, str) else float(scale)
    except (TypeError, ValueError, RuntimeError):
        number = math.nan
    if not 0 < number < math.inf:
        raise ValueError(f"scale must be above 0, got {scale!r}")
    return number


def mask_of_variant(mask, name: str):
    """Return the mask of one variant; there may be one for all, or none."""
    if not isinstance(mask, Mapping):
        return mask
    if name not in mask:
        raise ValueError(f"mask must hold one for each variant, got none for {name!r}")
    return mask[name]


def checked_choice(name: str, value, known: list):
    """Return the value, for a trait, if it is one of the known ones."""
    if value not in known:
        raise traitlets.TraitError(f"{name} must be one of {known}, got {value!r}")
    return value
