# wrong: takes axis 1 for the tokens, which are the heads in (batch, heads, length, head_dim)
import torch


def rotary(x, first_place):
    L, d = x.shape[1], x.shape[-1]
    t = torch.arange(first_place, first_place + L, dtype=x.dtype)[:, None] * 10000.0 ** (
        -torch.arange(0, d, 2, dtype=x.dtype) / d
    )
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()), dim=-1).flatten(-2)
