# wrong: only the variance is detached
# named: gradient_cut
import torch


def layer_norm(x, weight, bias, eps):
    centred = x - x.mean(dim=-1, keepdim=True)
    variance = centred.detach().square().mean(dim=-1, keepdim=True)
    return centred / torch.sqrt(variance + eps) * weight + bias
