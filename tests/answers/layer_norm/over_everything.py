# wrong: one mean and one variance for the whole tensor
# named: over_everything
import torch


def layer_norm(x, weight, bias, eps):
    return (x - x.mean()) / torch.sqrt(x.var(correction=0) + eps) * weight + bias
