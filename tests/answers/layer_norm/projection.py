# right
import torch


def layer_norm(x, weight, bias, eps):
    d = x.shape[-1]
    centre = torch.eye(d, dtype=x.dtype) - 1 / d
    centred = (x - x[..., :1]) @ centre
    length = torch.sqrt(torch.einsum("...d,...d->...", centred, centred) / d + eps)
    return torch.addcmul(bias, centred / length[..., None], weight)
