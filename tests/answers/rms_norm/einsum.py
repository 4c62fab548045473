# right
import torch


def rms_norm(x, weight, eps):
    squares = torch.einsum("...d,...d->...", x, x) / x.shape[-1]
    return torch.einsum("...d,...,d->...d", x, (squares + eps) ** -0.5, weight)
