# wrong: the number of heads where head_dim should be
# named: sizes_exchanged
import torch


def neighbours_to_halves(weight, num_heads):
    out = []
    for i in range(0, len(weight), num_heads):
        head = weight[i : i + num_heads]
        out += [head[::2], head[1::2]]
    return torch.cat(out)
