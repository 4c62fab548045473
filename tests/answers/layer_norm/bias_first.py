# wrong: the bias is added before the weight multiplies
# named: bias_first
import torch


def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return ((x - mean) / torch.sqrt(variance + eps) + bias) * weight
