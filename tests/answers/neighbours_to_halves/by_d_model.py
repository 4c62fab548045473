# wrong: head_dim is d_model // num_heads
# named: head_dim_of_d_model
import torch


def neighbours_to_halves(weight, num_heads):
    n = weight.shape[1] // num_heads
    out = []
    for h in range(num_heads):
        head = weight[h * n : (h + 1) * n]
        out += [head[::2], head[1::2]]
    return torch.cat(out)
