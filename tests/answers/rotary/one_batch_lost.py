# wrong: works on the first entry of each leading dimension and expands
# named: one_for_all
import torch


def rotary(x, first_place):
    flat = x.reshape(-1, x.shape[-2], x.shape[-1])[0]
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = flat[..., ::2], flat[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2).expand(x.shape)
