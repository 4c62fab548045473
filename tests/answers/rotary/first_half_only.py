# wrong: only the first half of the features is turned, as in GPT-J
# named: half_turned
import torch


def rotary(x, first_place):
    half = x.shape[-1] // 4 * 2
    places = torch.arange(first_place, first_place + x.shape[-2], dtype=x.dtype)[:, None]
    t = places * 10000 ** (-torch.arange(0, half, 2, dtype=x.dtype) / max(half, 1))
    a, b = x[..., :half:2], x[..., 1:half:2]
    turned = (a * t.cos() - b * t.sin(), b * t.cos() + a * t.sin())
    return torch.cat((torch.stack(turned, dim=-1).flatten(-2), x[..., half:]), dim=-1)
