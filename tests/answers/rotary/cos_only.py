# wrong: multiplies by cosines and sines without the other half of the pair
# named: features_not_mixed
import torch


def rotary(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    return torch.stack((x[..., ::2] * t.cos(), x[..., 1::2] * t.sin()), dim=-1).flatten(-2)
