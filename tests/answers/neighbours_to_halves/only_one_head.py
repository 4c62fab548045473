# wrong: sorts the first head only
# named: first_head_only
import torch


def neighbours_to_halves(weight, num_heads):
    n = len(weight) // num_heads
    head = weight[:n]
    return torch.cat([head[::2], head[1::2], weight[n:]])
