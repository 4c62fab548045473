# wrong: puts all first features in front of all second ones
# named: not_put_back
import torch


def rotary(x, first_place):
    L, d = x.shape[-2:]
    t = torch.arange(first_place, first_place + L, dtype=x.dtype)[:, None] * 10000.0 ** (
        -torch.arange(0, d, 2, dtype=x.dtype) / d
    )
    a, b = x[..., ::2], x[..., 1::2]
    return torch.cat((a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()), dim=-1)
