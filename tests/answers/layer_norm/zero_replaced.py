# wrong: a token with equal features is divided by its size instead
# named: zero_replaced
import torch


def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    std = x.std(dim=-1, keepdim=True, correction=0)
    std = torch.where(std == 0, torch.ones_like(std), std)
    return (x - mean) / std * weight + bias
