# wrong: mean and variance over dims (1, 2)
# named: over_sentences
import torch


def layer_norm(x, weight, bias, eps):
    dims = (1, 2) if x.dim() == 3 else -1
    mean = x.mean(dim=dims, keepdim=True)
    variance = x.var(dim=dims, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias
