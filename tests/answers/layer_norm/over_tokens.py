# wrong: mean and variance over the tokens, dim=-2
# named: over_tokens
import torch


def layer_norm(x, weight, bias, eps):
    dim = -2 if x.dim() > 1 else -1
    mean = x.mean(dim=dim, keepdim=True)
    variance = x.var(dim=dim, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias
