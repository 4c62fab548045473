# right
import torch


def rotary(x, first_place):
    L, d = x.shape[-2:]
    places = torch.arange(L, dtype=torch.float64) + first_place
    t = torch.outer(places, torch.logspace(0, -4, d // 2 + 1, dtype=torch.float64)[:-1]).to(x.dtype)
    points = torch.view_as_complex(x.reshape(*x.shape[:-1], d // 2, 2).contiguous())
    return torch.view_as_real(points * torch.polar(torch.ones_like(t), t)).flatten(-2)
