# wrong: an RMSNorm: divides x by its root mean square without subtracting the mean
# named: root_mean_square
import torch


def layer_norm(x, weight, bias, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight + bias
