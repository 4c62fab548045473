# right
import torch


def layer_norm(x, weight, bias, eps):
    variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return (x - mean) * torch.rsqrt(variance + eps) * weight + bias
