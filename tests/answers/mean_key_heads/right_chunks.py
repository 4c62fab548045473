# right
import torch


def mean_key_heads(weight, num_heads, num_groups):
    heads = weight.chunk(num_heads)
    share = num_heads // num_groups
    means = [torch.stack(heads[i : i + share]).mean(dim=0) for i in range(0, num_heads, share)]
    return torch.vstack(means)
