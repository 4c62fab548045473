# wrong: both parts with a minus, which is a reflection of sorts
# named: no_rotation
import torch


def rotary(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() - a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)
