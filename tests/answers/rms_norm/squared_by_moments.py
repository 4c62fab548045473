# right
import torch


def rms_norm(x, weight, eps):
    variance, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
    return x * weight / torch.sqrt(variance + mean.square() + eps)
