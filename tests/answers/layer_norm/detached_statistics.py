# wrong: mean and variance are detached, so their gradient is missing
# named: gradient_cut
import torch


def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True).detach()
    variance = x.var(dim=-1, keepdim=True, correction=0).detach()
    return (x - mean) / torch.sqrt(variance + eps) * weight + bias
