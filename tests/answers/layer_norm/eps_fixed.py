# wrong: ignores eps and uses 1e-5
# named: eps_of_its_own
import torch


def layer_norm(x, weight, bias, eps=1e-5):
    c = x - x.mean(dim=-1, keepdim=True)
    return c * torch.rsqrt(c.square().mean(dim=-1, keepdim=True) + 1e-5) * weight + bias
