# right
import torch


def mean_key_heads(weight, num_heads, num_groups):
    head_dim, share = len(weight) // num_heads, num_heads // num_groups
    row = torch.arange(len(weight))
    target = row // head_dim // share * head_dim + row % head_dim
    mean = weight.new_zeros(num_groups * head_dim, weight.shape[1])
    return mean.index_add(0, target, weight / share)
