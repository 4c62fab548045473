# wrong: the mean is not subtracted (an RMSNorm)
# named: root_mean_square
import torch


def layer_norm(x, weight, bias, eps):
    return x / torch.sqrt(x.square().mean(dim=-1, keepdim=True) + eps) * weight + bias
