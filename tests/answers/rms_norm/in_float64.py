# right
import torch


def rms_norm(x, weight, eps):
    wide = x.to(torch.float64)
    rms = (wide.square().sum(dim=-1) / x.shape[-1] + eps).sqrt()
    return (wide / rms.unsqueeze(-1)).to(x.dtype) * weight
