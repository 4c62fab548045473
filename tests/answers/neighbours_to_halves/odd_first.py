# wrong: odd rows first
# named: odd_first
import torch


def neighbours_to_halves(weight, num_heads):
    heads = weight.view(num_heads, -1, weight.shape[1])
    return torch.cat([heads[:, 1::2], heads[:, ::2]], dim=1).reshape(weight.shape)
