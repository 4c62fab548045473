# wrong: multiplies by the root instead of dividing by it
# named: multiplied
import torch


def rms_norm(x, weight, eps):
    return weight * (x * torch.sqrt(x.pow(2).mean(-1, keepdim=True) + eps))
