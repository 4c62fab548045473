# wrong: sorts columns head by head
# named: columns
import torch


def neighbours_to_halves(weight, num_heads):
    heads = weight.view(num_heads, -1, weight.shape[1])
    return torch.cat([heads[..., ::2], heads[..., 1::2]], dim=-1).view(weight.shape)
