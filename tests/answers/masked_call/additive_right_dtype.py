# right
import math

import torch


def masked_call(layer, x, mask):
    bias = torch.zeros_like(mask, dtype=x.dtype).masked_fill(mask.logical_not(), -math.inf)
    output, weights = layer(query=x, key=x, value=x, attn_mask=bias)
    return output, weights
