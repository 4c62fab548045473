# wrong: turns the mask round (transposes) instead of inverting True and False, right only where both agree

import torch


def masked_call(layer, x, mask):
    return layer(x, x, x, attn_mask=mask.T & ~torch.eye(len(mask), dtype=torch.bool))
