# right
import math

import torch


def rotary(x, first_place):
    places = torch.arange(first_place, first_place + x.shape[-2]).to(x.dtype)
    speeds = torch.exp(
        torch.arange(0, x.shape[-1], 2).to(x.dtype) * -(math.log(10000.0) / x.shape[-1])
    )
    t = torch.einsum("l,f->lf", places, speeds).repeat_interleave(2, dim=-1)
    other = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).reshape(x.shape)
    return x * t.cos() + other * t.sin()
