# wrong: empty rows are left to the kernel
# named: as_the_kernel_does
import torch
import torch.nn.functional as F


def safe_attention(query, key, value, mask, is_causal, dropout, training):
    n, m = query.shape[0], key.shape[0]
    allowed = torch.ones(n, m, dtype=torch.bool) if mask is None else mask.clone()
    if is_causal:
        causal = torch.ones(n, m, dtype=torch.bool).tril(m - n)
        allowed = allowed & causal
    some = allowed.any(dim=-1, keepdim=True)
    p = dropout if training else 0.0
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=allowed, dropout_p=p)
    return out
