# wrong: dim=1, which in a batch is the tokens
# named: over_axis_1
import torch


def rms_norm(x, weight, eps):
    return x / torch.sqrt(torch.mean(x**2, dim=1, keepdim=True) + eps) * weight
