# wrong: the sum of the squares instead of their mean
# named: sum_of_squares
import torch


def rms_norm(x, weight, eps):
    squares = torch.sum(x**2, dim=-1, keepdim=True)
    return x / torch.sqrt(squares + eps) * weight
