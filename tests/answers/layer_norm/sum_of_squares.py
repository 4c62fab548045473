# wrong: the sum of the squares instead of their mean
# named: sum_of_squares
import torch


def layer_norm(x, weight, bias, eps):
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / torch.sqrt(centred.square().sum(dim=-1, keepdim=True) + eps) * weight + bias
