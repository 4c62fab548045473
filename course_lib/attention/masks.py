"""Which query may attend to which key, and a softmax that obeys. Boolean; True = may attend."""

import math
from collections.abc import Sequence
from functools import reduce

import torch

from course_lib.validation.layer_inputs import (
    check_boolean,
    check_mask,
    check_not_negative,
    check_positive,
    has_values,
    is_mapped,
)


def causal_mask(query_len: int, key_len: int | None = None, device=None) -> torch.Tensor:
    """Return the mask in which every query sees its own position and the earlier ones.

    When there are more keys than queries, the queries are the LAST positions of the sequence: one
    new query after five cached keys sees them all. (torch's own ``is_causal=True`` aligns the two
    to the start instead, and that query would see key 0 only.)

    Args:
        query_len: number of queries, 0 or more.
        key_len: number of keys; the same as ``query_len`` when it is None.
        device: where the mask is made.

    Returns:
        Boolean tensor (query_len, key_len), True = may attend.

    Raises:
        TypeError, ValueError: a length is no integer, or negative.
    """
    key_len = query_len if key_len is None else key_len
    check_not_negative(query_len=query_len, key_len=key_len)
    allowed = torch.ones(query_len, key_len, dtype=torch.bool, device=device)
    return allowed.tril(diagonal=key_len - query_len)


def window_mask(
    query_len: int, key_len: int | None = None, *, window: int, sinks: int = 0, device=None
) -> torch.Tensor:
    """Return the mask in which every query sees the last ``window`` positions, its own included.

    The first ``sinks`` positions stay in sight of all later queries (Xiao et al. 2024, arXiv
    2309.17453). Without them it is the sliding window of Beltagy et al. 2020 (arXiv 2004.05150), as
    decoders use it. Queries and keys are aligned as in ``causal_mask``.

    Args:
        query_len, key_len, device: as in ``causal_mask``.
        window: how many positions a query sees, its own and those right before it.
        sinks: how many positions at the very start of the keys are never hidden from later queries.

    Returns:
        Boolean tensor (query_len, key_len), True = may attend.

    Raises:
        TypeError: a length, ``window`` or ``sinks`` is no integer.
        ValueError: a length or ``sinks`` is negative, or ``window`` is below 1.
    """
    check_positive(window=window)
    check_not_negative(sinks=sinks)
    allowed = causal_mask(query_len, key_len, device=device)
    near = allowed.triu(diagonal=allowed.shape[1] - query_len - window + 1)
    near[:, :sinks] = allowed[:, :sinks]
    return near


def padding_mask(lengths: torch.Tensor | Sequence[int], max_len: int, device=None) -> torch.Tensor:
    """Return the mask that hides the padding behind each sequence of a batch.

    Args:
        lengths: how many real tokens each sequence has: (batch,), integers from 0 to ``max_len``.
        max_len: the length that all sequences are padded to.
        device: where the mask is made; the device of ``lengths`` when it is None.

    Returns:
        Boolean tensor (batch, 1, 1, max_len), True = may attend. The two middle dimensions stand
        for all heads and all queries, so that it broadcasts to (batch, heads, query_len, key_len).

    Raises:
        TypeError: the lengths or ``max_len`` are not integers.
        ValueError: the lengths are not one-dimensional or not between 0 and ``max_len`` (which is
            not looked at where torch only records, see ``validation.has_values``).
    """
    check_not_negative(max_len=max_len)
    lengths = torch.as_tensor(lengths, device=device)
    if lengths.numel() == 0:  # as_tensor([]) is a float tensor
        lengths = lengths.long()
    if lengths.is_floating_point() or lengths.dtype == torch.bool:
        raise TypeError(f"lengths must be integers, got {lengths.dtype}")
    if lengths.dim() != 1:
        raise ValueError(f"lengths must have shape (batch,), got {tuple(lengths.shape)}")
    if has_values(lengths) and ((lengths < 0) | (lengths > max_len)).any():
        raise ValueError(f"lengths must be between 0 and max_len {max_len}, got {lengths.tolist()}")
    positions = torch.arange(max_len, device=lengths.device)  # (max_len,)
    return (positions < lengths[:, None])[:, None, None, :]  # (batch, 1, 1, max_len)


def combine_masks(*masks: torch.Tensor | None) -> torch.Tensor | None:
    """Return the mask that allows a pair only where all the given masks allow it.

    Args:
        masks: boolean tensors (True = may attend) whose shapes broadcast; None allows everything.
            Those of more than two dimensions must have equally many: (batch, query_len, key_len)
            beside (batch, 1, 1, key_len) would count as one mask per head.

    Returns:
        Boolean tensor of the broadcast shape, or None when every argument is None.

    Raises:
        TypeError: a mask is not a boolean tensor.
        ValueError: the shapes do not broadcast, or one has more than two dimensions and another
            has still more.
    """
    given = [mask for mask in masks if mask is not None]
    for mask in given:
        check_boolean("every mask", mask)
    if not given:
        return None
    most = max(mask.dim() for mask in given)
    for mask in given:
        if 2 < mask.dim() < most:
            raise ValueError(
                f"every mask must have at most 2 dimensions or {most} as the largest, got shape "
                f"{tuple(mask.shape)}; one mask per sequence is written mask[:, None], one per "
                "head mask[None]"
            )
    try:
        torch.broadcast_tensors(*given)
    except RuntimeError:
        shapes = ", ".join(str(tuple(mask.shape)) for mask in given)
        raise ValueError(f"masks must have shapes that broadcast together, got {shapes}") from None
    return reduce(torch.logical_and, given)


def masked_softmax(
    scores: torch.Tensor, mask: torch.Tensor | None, *, in_place: bool = False
) -> torch.Tensor:
    """Softmax over the keys that the mask allows (True = may attend); empty rows give zeros.

    Where a row allows nothing, minus infinity everywhere would give 0/0. Such a row keeps its
    scores through the softmax and is set to zero after it, so that no NaN arises, in the weights
    or in the gradients. torch sums float16 and bfloat16 scores in float32.

    Args:
        scores: (..., query_len, key_len), of a floating dtype.
        mask: boolean, (query_len, key_len) or as many dimensions as the scores, broadcastable to
            their shape; None allows everything.
        in_place: write the weights over the scores, which is faster and possible only without
            gradients. Inside torch.vmap, where nothing can be written into, it does not count.

    Returns:
        weights, of the shape and dtype of the scores.

    Raises:
        TypeError, ValueError: the mask is not boolean, on another device, or does not fit.
    """
    in_place = in_place and not is_mapped()
    if mask is not None:
        check_mask(mask, scores.shape, scores.device)
        has_any = mask.any(dim=-1, keepdim=True)  # (..., query_len, 1)
        blocked = ~mask & has_any
        fill = scores.masked_fill_ if in_place else scores.masked_fill
        scores = fill(blocked, -math.inf)
    # Under autocast torch's softmax returns float32: hence the cast.
    weights = torch.softmax(scores, dim=-1, out=scores if in_place else None).to(scores.dtype)
    return weights if mask is None else weights.masked_fill(~has_any, 0.0)
