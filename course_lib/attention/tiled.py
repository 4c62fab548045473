"""Attention in tiles: a block of queries meets one block of keys after the other.

The order of work is that of FlashAttention-2 (Dao 2023, arXiv 2307.08691, algorithm 1, without the
memory of a GPU); in the first FlashAttention (Dao et al. 2022), each block of keys meets one block
of queries after the other. No table larger than a tile is ever made. In Python it is slow. It shows
what the fused kernels do, and is equal to them within rounding.
"""

import torch

from course_lib.attention.online_softmax import merge, partial_softmax
from course_lib.validation.layer_inputs import (
    check_flags,
    check_mask,
    check_positive,
    check_qkv,
    checked_scale,
    has_values,
)


def tiled_attention(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    *,
    mask: torch.Tensor | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    block_len: int = 64,
) -> torch.Tensor:
    """Compute what ``scaled_dot_product_attention`` computes, without storing the weights.

    In the order of FlashAttention-2 (Dao 2023). A tile in which nothing may attend to anything is
    skipped. A query that may attend to nothing gets zeros.

    Args:
        query, key, value, mask, is_causal, scale: as in ``scaled_dot_product_attention``.
        block_len: queries and keys in a tile.

    Returns:
        output (..., query_len, value_dim), in the dtype of the inputs.

    Raises:
        TypeError, ValueError: the inputs, the mask or ``block_len`` do not fit.
    """
    check_qkv(query, key, value)
    check_flags(is_causal=is_causal)
    check_positive(block_len=block_len)
    query_len, key_len = query.shape[-2], key.shape[-2]
    table = torch.Size((*query.shape[:-1], key_len))  # the shape that is never made
    if mask is not None:
        check_mask(mask, table, query.device)
        mask = mask.expand(table)  # a view, not a copy
    query = query * checked_scale(scale, query.shape[-1])
    outputs = [value.new_zeros(*query.shape[:-2], 0, value.shape[-1])]  # for no queries at all
    positions = torch.arange(max(query_len, key_len), device=query.device)

    for first_query in range(0, query_len, block_len):
        rows = slice(first_query, min(first_query + block_len, query_len))
        seen = partial_softmax(query[..., rows, :] @ key[..., :0, :].mT, value[..., :0, :])
        for first_key in range(0, key_len, block_len):
            columns = slice(first_key, min(first_key + block_len, key_len))
            allowed = None if mask is None else mask[..., rows, columns]
            if is_causal:
                shift = key_len - query_len  # row i is position i + shift
                if first_key > rows.stop - 1 + shift:
                    break  # this tile and all that follow lie in the future
                past = positions[columns] <= positions[rows, None] + shift
                allowed = past if allowed is None else allowed & past
            if allowed is not None and has_values(allowed) and not allowed.any():
                continue
            scores = query[..., rows, :] @ key[..., columns, :].mT  # a tile
            seen = merge(seen, partial_softmax(scores, value[..., columns, :], allowed))
        outputs.append(seen.output().to(value.dtype))  # (..., block_len, value_dim)
    return torch.cat(outputs, dim=-2)
