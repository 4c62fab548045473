# wrong: no gradient goes through the root
# named: gradient_cut
import torch


def rms_norm(x, weight, eps):
    with torch.no_grad():
        rms = (x.pow(2).mean(-1, keepdim=True) + eps).sqrt()
    return x / rms * weight
