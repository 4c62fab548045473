# right

import torch


def rotary(x, first_place):
    n, d = x.shape[-2], x.shape[-1]
    p = torch.arange(n, dtype=torch.float64) + first_place
    angle = torch.outer(p, 10000.0 ** (torch.arange(d // 2, dtype=torch.float64) * (-2 / d)))
    unit = torch.polar(torch.ones_like(angle), angle)
    z = torch.view_as_complex(x.double().reshape(*x.shape[:-1], d // 2, 2).contiguous())
    return torch.view_as_real(z * unit).flatten(-2).to(x.dtype)
