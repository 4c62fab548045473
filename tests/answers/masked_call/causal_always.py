# wrong: a causal mask, whatever the mask says
# named: always_causal
import torch


def masked_call(layer, x, mask):
    ahead = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
    return layer(x, x, x, attn_mask=ahead)
