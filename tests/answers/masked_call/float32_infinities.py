# wrong: a float32 mask for any dtype
import math

import torch


def masked_call(layer, x, mask):
    additive = torch.zeros(mask.shape).masked_fill(~mask, -math.inf)
    return layer(x, x, x, attn_mask=additive)
