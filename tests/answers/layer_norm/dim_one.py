# wrong: dim=1, which is the features of a two-dimensional x only
# named: over_axis_1
import torch


def layer_norm(x, weight, bias, eps):
    dim = min(1, x.dim() - 1)
    mean = x.mean(dim=dim, keepdim=True)
    variance = x.var(dim=dim, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias
