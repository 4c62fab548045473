# wrong: always returns float32
# named: dtype
import torch


def rotary(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2]).float()[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2).float() / x.shape[-1])
    a, b = x.float()[..., ::2], x.float()[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)
