# right
import torch


def layer_norm(x, weight, bias, eps):
    var, mean = torch.var_mean(x, dim=-1, keepdim=True, correction=0)
    return torch.addcmul(bias, (x - mean) * (var + eps).rsqrt(), weight)
