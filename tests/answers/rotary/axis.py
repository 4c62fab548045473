# wrong: takes the length from axis 1, not from the axis before the last

import torch


def rotary(x, first_place):
    n, d = x.shape[1], x.shape[-1]
    w = 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    t = torch.arange(first_place, first_place + n, dtype=x.dtype)[:, None] * w
    if x.dim() > 3:
        t = t[:, None, :]
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack([a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()], dim=-1).flatten(-2)
