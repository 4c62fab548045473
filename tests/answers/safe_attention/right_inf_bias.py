# right
import torch
import torch.nn.functional as F


def safe_attention(query, key, value, mask, is_causal, dropout, training):
    """Adds minus infinity, gives empty rows a row of zeros to add, and clears them."""
    bias = torch.zeros(len(query), len(key))
    if mask is not None:
        bias[~mask] = -torch.inf
    if is_causal:
        bias += torch.full_like(bias, -torch.inf).triu(len(key) - len(query) + 1)
    empty = torch.isinf(bias).all(dim=1)
    bias[empty] = 0.0
    out = F.scaled_dot_product_attention(
        query, key, value, attn_mask=bias, dropout_p=dropout if training else 0.0
    )
    return out.index_fill(0, empty.nonzero()[:, 0], 0.0)
