# wrong: writes the turned features into x itself
# named: changes_input
import torch


def rotary(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    with torch.no_grad():
        a, b = x[..., ::2].clone(), x[..., 1::2].clone()
        x[..., ::2] = a * t.cos() - b * t.sin()
        x[..., 1::2] = b * t.cos() + a * t.sin()
    return x
