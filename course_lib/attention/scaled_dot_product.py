"""Attention itself: each query takes an average of the values, weighted by how keys match it.

Vaswani et al. 2017, "Attention Is All You Need", equation 1:

    Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V
"""

from functools import partial

import torch
import torch.nn.functional as F

from course_lib.attention.masks import causal_mask, masked_softmax
from course_lib.validation.layer_inputs import (
    check_flags,
    check_mask,
    check_number,
    check_qkv,
    checked_scale,
)


def scaled_dot_product_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *,
    mask: torch.Tensor | None = None,
    is_causal: bool = False,
    scale: float | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Each query takes a weighted average of the values; its match to the keys gives the weights.

    Vaswani et al. 2017, equation 1. A query that may attend to nothing gets zeros, in the output
    and in the weights, with finite gradients. The result is on the device of the inputs and in
    their dtype (float16, bfloat16, float32 or float64).

    Args:
        query: (..., query_len, head_dim), with any leading dimensions (batch, heads, ...).
        key: (..., key_len, head_dim), the same leading dimensions.
        value: (..., key_len, value_dim), the same leading dimensions.
        mask: boolean, True = may attend. Either (query_len, key_len) or as many dimensions as the
            scores, broadcastable to (..., query_len, key_len).
        is_causal: let each query see only its own position and earlier ones, the last query being
            aligned with the last key. With ``mask``, both must allow a pair.
        scale: the scores are multiplied by it; 1 / sqrt(head_dim) when it is None.

    Returns:
        output (..., query_len, value_dim) and weights (..., query_len, key_len). Each row of the
        weights sums to 1, or to 0 where there is nothing to attend to.

    Raises:
        TypeError: an argument is no tensor, the dtypes differ or are not floating, the mask is not
            boolean, or the scale is no number.
        ValueError: the shapes or devices do not fit together.
    """
    scores, mask = scores_and_mask(query, key, value, mask, is_causal, scale)
    # Without gradients nothing needs the scores again: the weights may take their memory.
    weights = masked_softmax(scores, mask, in_place=not torch.is_grad_enabled())
    return weights @ value, weights  # (..., query_len, value_dim)


def scores_and_mask(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask, is_causal, scale
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Return the scores (..., query_len, key_len), scaled and not masked, and both masks as one.

    Arguments and errors are those of ``scaled_dot_product_attention``. The mask is boolean, True =
    may attend, or None where nothing is hidden.
    """
    check_qkv(query, key, value)
    # Scaling the query instead of the scores is the same sum, and float16 overflows later.
    query = query * checked_scale(scale, query.shape[-1])
    scores = query @ key.transpose(-2, -1)
    if mask is not None:
        check_mask(mask, scores.shape, scores.device)
    check_flags(is_causal=is_causal)
    if is_causal:
        causal = causal_mask(scores.shape[-2], scores.shape[-1], device=scores.device)
        mask = causal if mask is None else mask & causal
    return scores, mask


def fused_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *,
    mask: torch.Tensor | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    dropout: float = 0.0,
) -> torch.Tensor:
    """Compute the output of ``scaled_dot_product_attention`` by torch's kernels, without weights.

    It differs from torch's own function in two things: ``is_causal`` aligns the last query with
    the last key, and a query that may attend to nothing gets zeros with every kernel. It checks
    the mask only: the modules that call it have checked the other inputs.

    Args:
        query: (batch, num_heads, query_len, head_dim).
        key: (batch, num_kv_heads, key_len, head_dim); each of its heads serves
            num_heads / num_kv_heads neighbouring query heads.
        value: (batch, num_kv_heads, key_len, value_dim).
        mask, is_causal, scale: as in ``scaled_dot_product_attention``.
        dropout: probability of dropping a weight.

    Returns:
        output (batch, num_heads, query_len, value_dim).

    Raises:
        TypeError, ValueError: the mask is not boolean, on another device, or does not fit; the
            scale is no number.
    """
    query_len, key_len = query.shape[-2], key.shape[-2]
    check_flags(is_causal=is_causal)
    if scale is not None:
        check_number(scale=scale)
    if mask is not None:
        check_mask(mask, torch.Size((*query.shape[:-1], key_len)), query.device)
    if is_causal and query_len == 1:
        is_causal = False  # the only query is aligned with the last key and sees them all
    if is_causal and (mask is not None or query_len != key_len):  # torch aligns to the start
        causal = causal_mask(query_len, key_len, device=query.device)
        mask = causal if mask is None else mask & causal
    attend = partial(F.scaled_dot_product_attention, dropout_p=dropout, scale=scale)
    if mask is None:
        grouped = bool(key.shape[1] < query.shape[1])  # torch.jit.trace counts in tensors
        return attend(query, key, value, is_causal=is_causal, enable_gqa=grouped)
    # With a mask, torch's grouped form may fall back to a kernel that stores all weights.
    key, value = repeat_for_groups(query, key, value)
    # Kernels differ on rows without a key (zeros or NaN): let those see all, then clear them.
    has_any = mask.any(dim=-1, keepdim=True)  # (..., query_len, 1)
    output = attend(query, key, value, attn_mask=mask | ~has_any)
    return output.masked_fill(~has_any, 0.0)


def repeat_for_groups(query, key, value):
    """Give each query head a copy of the keys and values that it shares."""
    group = query.shape[1] // key.shape[1]
    if group == 1:
        return key, value
    return key.repeat_interleave(group, dim=1), value.repeat_interleave(group, dim=1)
