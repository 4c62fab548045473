# wrong: the first row stands at first_place + 1
# named: from_one
import torch


def rotary(x, first_place):
    places = torch.arange(first_place + 1, first_place + 1 + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)
