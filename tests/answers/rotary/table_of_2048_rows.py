# wrong: a table of 2048 places, as many models have
import torch


def rotary(x, first_place):
    head_dim = x.shape[-1]
    places = torch.arange(2048, dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, head_dim, 2, dtype=x.dtype) / head_dim)
    t = t[first_place : first_place + x.shape[-2]]
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)
