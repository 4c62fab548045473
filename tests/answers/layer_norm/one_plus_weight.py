# wrong: multiplies by 1 + weight, as Gemma does
# named: one_plus_weight
import torch


def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * (1 + weight) + bias
