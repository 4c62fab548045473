# wrong: the mean of the squares of x itself stands in the root
# named: squares_not_centred
import torch


def layer_norm(x, weight, bias, eps):
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + eps) * weight + bias
