# wrong: the mean runs over the first axis
# named: over_the_first_axis
import torch


def rms_norm(x, weight, eps):
    return x / torch.sqrt(torch.mean(x**2, dim=0) + eps) * weight
