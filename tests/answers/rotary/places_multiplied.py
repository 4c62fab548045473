# wrong: multiplies by the first place instead of adding it
import torch


def rotary(x, first_place):
    L, d = x.shape[-2:]
    t = (torch.arange(L, dtype=x.dtype) * max(first_place, 1))[:, None] * 10000.0 ** (
        -torch.arange(0, d, 2, dtype=x.dtype) / d
    )
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()), dim=-1).flatten(-2)
