# wrong: the variance is clamped at eps instead of adding it
# named: eps_as_least
import torch


def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance.clamp(min=eps)) * weight + bias
