# right
import torch


def unpack_neox(weight, num_heads):
    head_dim = weight.shape[1] // num_heads
    which = torch.arange(weight.shape[0]) // head_dim % 3
    return weight[which == 0], weight[which == 1], weight[which == 2]
