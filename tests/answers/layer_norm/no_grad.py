# wrong: computed under no_grad
# named: cut_off
import torch


def layer_norm(x, weight, bias, eps):
    with torch.no_grad():
        mean = x.mean(dim=-1, keepdim=True)
        variance = x.var(dim=-1, keepdim=True, correction=0)
        return (x - mean) / torch.sqrt(variance + eps) * weight + bias
