# wrong: 1e-5 instead of the eps that is given
# named: eps_of_its_own
import torch


def layer_norm(x, weight, bias, eps):
    mean = x.mean(dim=-1, keepdim=True)
    variance = x.var(dim=-1, keepdim=True, correction=0)
    return (x - mean) / torch.sqrt(variance + 1e-5) * weight + bias
