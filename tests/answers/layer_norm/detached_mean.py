# wrong: only the mean is detached
# named: gradient_cut
import torch


def layer_norm(x, weight, bias, eps):
    centred = x - x.mean(dim=-1, keepdim=True).detach()
    return centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + eps) * weight + bias
