# wrong: every pair is turned by the place itself
# named: one_speed
import torch


def rotary(x, first_place):
    t = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)
