# right
import torch


def neighbours_to_halves(weight, num_heads):
    out = []
    for head in weight.chunk(num_heads):
        out += [head[0::2], head[1::2]]
    return torch.cat(out)
