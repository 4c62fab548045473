# wrong: the length is read from dimension 1, which is the heads of (batch, heads, length, head_dim)
import torch


def rotary(x, first_place):
    length = x.shape[1] if x.dim() > 2 else x.shape[0]
    places = torch.arange(first_place, first_place + length, dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x[..., ::2], x[..., 1::2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.stack(turned, dim=-1).flatten(-2)
