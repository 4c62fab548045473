# right
import torch


def rotary(x, first_place):
    length, head_dim = x.shape[-2:]
    speeds = 10000 ** (-torch.arange(0, head_dim, 2, dtype=torch.float64) / head_dim)
    angles = torch.outer(
        torch.arange(first_place, first_place + length, dtype=torch.float64), speeds
    )
    points = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
    turned = points * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)
