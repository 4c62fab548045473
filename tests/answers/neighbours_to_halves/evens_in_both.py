# wrong: the even rows stand in both halves
# named: evens_twice
import torch


def neighbours_to_halves(weight, num_heads):
    heads = weight.view(num_heads, -1, weight.shape[1])
    return torch.cat([heads[:, 0::2], heads[:, 0::2]], dim=1).flatten(0, 1)
