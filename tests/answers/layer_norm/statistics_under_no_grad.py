# wrong: the statistics are computed under no_grad
# named: gradient_cut
import torch


def layer_norm(x, weight, bias, eps):
    with torch.no_grad():
        mean = x.mean(dim=-1, keepdim=True)
        std = torch.sqrt(x.var(dim=-1, keepdim=True, correction=0) + eps)
    return (x - mean) / std * weight + bias
