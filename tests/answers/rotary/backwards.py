# wrong: turns the other way round
# named: backwards
import torch


def rotary(x, first_place):
    L, d = x.shape[-2:]
    t = torch.arange(first_place, first_place + L, dtype=x.dtype)[:, None] * 10000.0 ** (
        -torch.arange(0, d, 2, dtype=x.dtype) / d
    )
    a, b = x.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack((a * t.cos() + b * t.sin(), b * t.cos() - a * t.sin()), dim=-1).flatten(-2)
