# wrong: adds sines and cosines instead of turning
# named: added
import torch


def rotary(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    return x + torch.stack((t.sin(), t.cos()), dim=-1).flatten(-2)
