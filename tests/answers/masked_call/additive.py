# right
import math

import torch


def masked_call(layer, x, mask):
    bias = torch.full(mask.shape, -math.inf, dtype=x.dtype, device=x.device).masked_fill(mask, 0.0)
    return layer(query=x, key=x, value=x, attn_mask=bias)
