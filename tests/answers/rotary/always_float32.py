# wrong: returns float32 whatever comes in
# named: dtype
import torch


def rotary(x, first_place):
    L, d = x.shape[-2:]
    x = x.float()
    t = torch.arange(first_place, first_place + L)[:, None] * 10000.0 ** (
        -torch.arange(0, d, 2) / d
    )
    a, b = x[..., ::2], x[..., 1::2]
    return torch.stack((a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin()), dim=-1).flatten(-2)
