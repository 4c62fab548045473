# wrong: computes without gradients
# named: detached
import torch


def masked_call(layer, x, mask):
    with torch.no_grad():
        return layer(x, x, x, attn_mask=~mask)
