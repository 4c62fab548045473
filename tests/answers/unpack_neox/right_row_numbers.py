# right
import torch


def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    head_dim = d_model // num_heads
    row = torch.arange(d_model)
    start = row // head_dim * 3 * head_dim + row % head_dim
    return tuple(weight[start + which * head_dim] for which in range(3))
