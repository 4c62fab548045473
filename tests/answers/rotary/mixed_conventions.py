# wrong: repeats the angles by neighbours but rotates by halves
# named: halves_by_neighbours
import torch


def rotary(x, first_place):
    L, d = x.shape[-2:]
    inv = 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    t = torch.arange(first_place, first_place + L, dtype=x.dtype)[:, None] * inv
    emb = t.repeat_interleave(2, dim=-1)
    half = torch.cat((-x[..., d // 2 :], x[..., : d // 2]), dim=-1)
    return x * emb.cos() + half * emb.sin()
