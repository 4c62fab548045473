"""Attention over some of the keys at a time: partial results, and the rule that merges two of them.

A softmax seems to need all scores of a row before it can give one weight. It needs the largest
score so far and two sums relative to it (Milakov and Gimelshein 2018, section 3; with the values,
Rabe and Staats 2021; as tiles, Dao et al. 2022, FlashAttention, section 3.1). For the keys j of a
part

    maximum = max_j s_j,   total = sum_j exp(s_j - maximum),
    weighted = sum_j exp(s_j - maximum) v_j,   and   output = weighted / total.

Two parts merge by bringing both to the larger maximum. It does not matter in which order parts are
merged, or in which groups: tiles, split keys and rings of machines are all this one rule.
"""

import math
from typing import NamedTuple

import torch

from course_lib.validation.layer_inputs import check_device, check_floating, check_mask


class PartialSoftmax(NamedTuple):
    """What is known of attention when only some of the keys have been seen.

    No keys at all are maximum -inf, total 0 and weighted 0, which changes nothing when merged.

    Attributes:
        maximum: (..., query_len, 1), the largest score so far; -inf where there was none.
        total: (..., query_len, 1), the sum of exp(score - maximum).
        weighted: (..., query_len, value_dim), the values, each times its exp(score - maximum).
    """

    maximum: torch.Tensor
    total: torch.Tensor
    weighted: torch.Tensor

    def output(self) -> torch.Tensor:
        """Return (..., query_len, value_dim): zeros for a query that has seen no key."""
        return self.weighted / self.total.masked_fill(self.total == 0, 1.0)


def partial_softmax(
    scores: torch.Tensor, value: torch.Tensor, mask: torch.Tensor | None = None
) -> PartialSoftmax:
    """Return what these keys alone contribute.

    Sums of float16 and bfloat16 are kept in float32, as torch's kernels do: the result is to be
    merged many times, and a rounding each time would add up.

    Args:
        scores: (..., query_len, key_len), scaled already.
        value: (..., key_len, value_dim), the same leading dimensions.
        mask: boolean, (query_len, key_len) or as many dimensions as the scores, broadcastable to
            their shape. True = may attend.

    Raises:
        TypeError: an argument is no floating tensor, or the mask is not boolean.
        ValueError: the shapes or devices do not fit together.
    """
    check_floating("scores", scores)
    check_floating("value", value)
    check_device("value", value, scores, "the scores'")
    wanted = (*scores.shape[:-2], *scores.shape[-1:])  # (..., key_len)
    if min(scores.dim(), value.dim()) < 2 or value.shape[:-1] != wanted:
        raise ValueError(
            f"value must be (..., key_len, value_dim) for scores (..., query_len, key_len), "
            f"got {tuple(value.shape)} for scores {tuple(scores.shape)}"
        )
    if mask is not None:
        check_mask(mask, scores.shape, scores.device)
        scores = scores.masked_fill(~mask, -math.inf)
    exact = torch.promote_types(scores.dtype, torch.float32)
    scores, value = scores.to(exact), value.to(exact)
    if scores.shape[-1]:
        maximum = scores.amax(dim=-1, keepdim=True)  # (..., query_len, 1)
    else:
        maximum = scores.new_full((*scores.shape[:-1], 1), -math.inf)
    numerators = torch.exp(scores - _finite(maximum))  # (..., query_len, key_len)
    return PartialSoftmax(maximum, numerators.sum(dim=-1, keepdim=True), numerators @ value)


def merge(first: PartialSoftmax, second: PartialSoftmax) -> PartialSoftmax:
    """Return what is known when the keys of both parts have been seen.

    No key may be in both. The order of the two does not matter, and of three parts any two may be
    merged first; only the rounding differs.
    """
    maximum = torch.maximum(first.maximum, second.maximum)
    scale_first = torch.exp(first.maximum - _finite(maximum))  # 1 for the part that has it
    scale_second = torch.exp(second.maximum - _finite(maximum))
    return PartialSoftmax(
        maximum,
        scale_first * first.total + scale_second * second.total,
        scale_first * first.weighted + scale_second * second.weighted,
    )


def _finite(maximum: torch.Tensor) -> torch.Tensor:
    """0 where no key was seen: -inf minus -inf would be NaN, and exp(-inf - 0) is the right 0."""
    return maximum.masked_fill(maximum == -math.inf, 0.0)
