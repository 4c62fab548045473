# wrong: turns the other way (the signs of the sines are exchanged)
# named: backwards

import torch


def rotary(x, first_place):
    n, d = x.shape[-2:]
    w = 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    t = torch.arange(first_place, first_place + n, dtype=x.dtype)[:, None] * w
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack([a * t.cos() + b * t.sin(), b * t.cos() - a * t.sin()], dim=-1).flatten(-2)
