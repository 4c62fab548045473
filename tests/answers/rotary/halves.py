# wrong: pairs feature i with feature i + head_dim / 2
# named: halves
import torch


def rotary(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()), dim=-1)
