# wrong: pairs feature i with i + head_dim / 2 instead of neighbours
# named: halves

import torch


def rotary(x, first_place):
    n, d = x.shape[-2:]
    w = 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    t = torch.arange(first_place, first_place + n, dtype=x.dtype)[:, None] * w
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()], dim=-1)
