# right
import torch


def neighbours_to_halves(weight, num_heads):
    first, second = weight.unflatten(0, (num_heads, -1, 2)).unbind(dim=2)
    return torch.cat([first, second], dim=1).flatten(0, 1)
