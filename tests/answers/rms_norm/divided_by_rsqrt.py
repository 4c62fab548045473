# wrong: divides by rsqrt, which multiplies by the root
# named: multiplied
import torch


def rms_norm(x, weight, eps):
    return x / torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight
