# wrong: ignores the given mask and makes a causal one
# named: always_causal
import torch


def masked_call(layer, x, mask):
    n = x.shape[1]
    blocked = torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1)
    return layer(x, x, x, attn_mask=blocked)
