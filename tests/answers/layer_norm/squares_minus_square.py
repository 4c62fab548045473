# wrong: mean of squares minus square of the mean, which loses everything for a large mean
# named: moments
import torch


def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = (x * x).mean(dim=-1, keepdim=True) - mean * mean
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias
