# wrong: 1e-6 whatever eps is given
# named: eps_of_its_own
import torch


def rms_norm(x, weight, eps=1e-6):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weight
