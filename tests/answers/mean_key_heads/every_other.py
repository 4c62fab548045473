# wrong: groups take heads in turns
# named: in_turns
import torch


def mean_key_heads(weight, num_heads, num_groups):
    head_dim = len(weight) // num_heads
    heads = weight.reshape(num_heads, head_dim, -1)
    return torch.cat([heads[g::num_groups].mean(dim=0) for g in range(num_groups)])
