# right
import torch


def masked_call(layer, x, mask):
    output, weights = layer(query=x, key=x, value=x, attn_mask=torch.logical_not(mask))
    return output, weights
