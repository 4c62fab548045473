# wrong: the variance instead of the mean square
# named: by_standard_deviation
import torch


def rms_norm(x, weight, eps):
    var = torch.var(x, dim=-1, keepdim=True, correction=0)
    return weight * x * torch.rsqrt(var + eps)
