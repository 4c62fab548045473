# wrong: a is a view of the result and already turned when b needs the old one
# named: overwritten
import torch


def rotary(x, first_place):
    L, d = x.shape[-2:]
    t = torch.arange(first_place, first_place + L, dtype=x.dtype)[:, None] * 10000.0 ** (
        -torch.arange(0, d, 2, dtype=x.dtype) / d
    )
    out = x.clone()
    a, b = out[..., ::2], out[..., 1::2]
    out[..., ::2] = a * t.cos() - b * t.sin()
    out[..., 1::2] = b * t.cos() + a * t.sin()
    return out
