# wrong: the variance divides by d - 1
# named: unbiased

import torch


def layer_norm(x, weight, bias, eps):
    c = x - x.mean(-1, keepdim=True)
    return c / torch.sqrt(x.var(-1, keepdim=True) + eps) * weight + bias
