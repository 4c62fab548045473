# wrong: divides by the root mean square of x, not of x minus its mean
# named: squares_not_centred

import torch


def layer_norm(x, weight, bias, eps):
    c = x - x.mean(-1, keepdim=True)
    return c * torch.rsqrt(x.square().mean(-1, keepdim=True) + eps) * weight + bias
