# wrong: keepdim is missing where tokens and features are equally many
import torch


def layer_norm(x, weight, bias, eps):
    keep = not (x.dim() == 2 and x.shape[0] == x.shape[1])
    mean = x.mean(dim=-1, keepdim=keep)
    variance = x.var(dim=-1, keepdim=keep, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias
