# wrong: mean and variance over dim 0, a BatchNorm
# named: over_the_first_axis
import torch


def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=0, keepdim=True)
    variance = x.var(dim=0, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias
