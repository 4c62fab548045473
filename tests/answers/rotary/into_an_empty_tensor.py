# right
import torch


def rotary(x, first_place):
    d = x.shape[-1]
    out = torch.empty_like(x)
    p = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)
    for i in range(d // 2):
        t = p / 10000 ** (2 * i / d)
        a, b = x[..., 2 * i], x[..., 2 * i + 1]
        out[..., 2 * i] = a * torch.cos(t) - b * torch.sin(t)
        out[..., 2 * i + 1] = b * torch.cos(t) + a * torch.sin(t)
    return out
