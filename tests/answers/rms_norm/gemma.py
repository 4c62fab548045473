# wrong: multiplies by 1 + weight
# named: one_plus_weight
import torch


def rms_norm(x, weight, eps):
    normed = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)
    return normed + normed * weight
