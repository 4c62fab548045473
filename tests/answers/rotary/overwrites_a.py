# wrong: uses the already turned a to compute the new b
# named: overwritten

import torch


def rotary(x, first_place):
    n, d = x.shape[-2:]
    w = 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    t = (torch.arange(n, dtype=x.dtype) + first_place)[:, None] * w
    a, b = x[..., ::2], x[..., 1::2]
    a = a * t.cos() - b * t.sin()
    b = b * t.cos() + a * t.sin()
    return torch.stack([a, b], dim=-1).flatten(-2)
