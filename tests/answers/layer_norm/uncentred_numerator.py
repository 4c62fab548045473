# wrong: the variance is right, but x is not centred above it
# named: not_centred
import torch


def layer_norm(x, weight, bias, eps):
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return x / torch.sqrt(variance + eps) * weight + bias
