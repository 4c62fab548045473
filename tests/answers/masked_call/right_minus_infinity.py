# right
import math

import torch


def masked_call(layer, x, mask):
    additive = torch.zeros(mask.shape, dtype=x.dtype).masked_fill(~mask, -math.inf)
    return layer(x, x, x, attn_mask=additive)
