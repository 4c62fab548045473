# wrong: pairs feature i with feature i + head_dim / 2, as Llama in transformers does
# named: halves
import torch


def rotary(x, first_place):
    L, d = x.shape[-2:]
    inv = 10000.0 ** (-torch.arange(0, d, 2, dtype=x.dtype) / d)
    t = torch.arange(first_place, first_place + L, dtype=x.dtype)[:, None] * inv
    emb = torch.cat((t, t), dim=-1)
    half = torch.cat((-x[..., d // 2 :], x[..., : d // 2]), dim=-1)
    return x * emb.cos() + half * emb.sin()
