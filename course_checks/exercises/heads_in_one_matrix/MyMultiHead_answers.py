"""Answers to MyMultiHead (lesson 04, exercise 10), right and wrong, as students write them."""

import functools
import math

import torch
from torch import nn

from course_lib import MultiHeadAttention


# right
class einsum(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.head_dim = d_model // num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4)
        )

    def forward(self, x):
        query, key, value = (
            one(x).unflatten(-1, (-1, self.head_dim))
            for one in (self.q_proj, self.k_proj, self.v_proj)
        )
        scores = torch.einsum("bihd,bjhd->bhij", query, key) * self.head_dim**-0.5
        weights = scores.softmax(dim=-1)
        return self.out_proj(torch.einsum("bhij,bjhd->bihd", weights, value).flatten(2)), weights


# right
class stacked_chunks(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            self.register_module(name, nn.Linear(d_model, d_model, bias=False))

    def forward(self, x):
        query, key, value = (
            torch.stack(projection(x).chunk(self.num_heads, dim=-1), dim=1)
            for projection in (self.q_proj, self.k_proj, self.v_proj)
        )
        weights = torch.softmax(query @ key.mT / query.shape[-1] ** 0.5, dim=-1)
        return self.out_proj(torch.cat((weights @ value).unbind(dim=1), dim=-1)), weights


# wrong: hands everything to the course's layer
# named: forbidden
class OfTheCourse(MultiHeadAttention):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads, bias=False)

    def forward(self, x):
        return super().forward(x, need_weights=True)


# right
class WithTorchsAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4)
        )

    def forward(self, x):
        q, k, v = (
            torch.stack(p(x).chunk(self.num_heads, -1), 1)
            for p in (self.q_proj, self.k_proj, self.v_proj)
        )
        w = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1)
        o = nn.functional.scaled_dot_product_attention(q, k, v)
        return self.out_proj(o.transpose(1, 2).flatten(2)), w


# wrong: a loop over the heads is still there
# points: 6
class HeadByHead(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4)
        )

    def forward(self, x):
        os, ws = [], []
        for q, k, v in zip(
            *(p(x).chunk(self.num_heads, -1) for p in (self.q_proj, self.k_proj, self.v_proj))
        ):
            w = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1)
            os.append(w @ v)
            ws.append(w)
        return self.out_proj(torch.cat(os, -1)), torch.stack(ws, 1)


# wrong: goes through the heads one by one, with sums of products in place of matmul
# points: 6
class loop_without_products(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.n = num_heads
        for s in "qkv":
            setattr(self, s + "_proj", nn.Linear(d_model, d_model, bias=False))
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        q, k, v = (
            p(x).unflatten(-1, (self.n, -1)) for p in (self.q_proj, self.k_proj, self.v_proj)
        )
        ws, os = [], []
        for i in range(self.n):
            s = (q[:, :, None, i] * k[:, None, :, i]).sum(-1) / q.shape[-1] ** 0.5
            e = torch.exp(s - s.amax(-1, keepdim=True))
            w = e / e.sum(-1, keepdim=True)
            ws.append(w)
            os.append((w[..., None] * v[:, None, :, i]).sum(2))
        return self.out_proj(torch.cat(os, -1)), torch.stack(ws, 1)


# wrong: reshapes back without a transpose
# named: joined_without_transpose
# points: 4
class StraightBack(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.head_dim), dim=-1)
        return self.out_proj((weights @ v).reshape(B, T, C)), weights


# wrong: a whole root
# named: whole_root
class IntegerRoot(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h = num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4)
        )

    def forward(self, x):
        q, k, v = (
            m(x).unflatten(-1, (self.h, -1)).transpose(1, 2)
            for m in (self.q_proj, self.k_proj, self.v_proj)
        )
        w = (q @ k.mT / math.isqrt(q.shape[-1])).softmax(-1)
        return self.out_proj((w @ v).transpose(1, 2).flatten(-2)), w


# wrong: takes (seq_len, batch, d_model)
# named: tokens_first
class TokensFirst(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.h = num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4)
        )

    def forward(self, x):
        t, b, d = x.shape
        q, k, v = (
            m(x).view(t, b, self.h, -1).permute(1, 2, 0, 3)
            for m in (self.q_proj, self.k_proj, self.v_proj)
        )
        w = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
        return self.out_proj((w @ v).permute(2, 0, 1, 3).reshape(t, b, d)), w


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for batch, length, d_model, num_heads in ((2, 2, 4, 2), (1, 4, 6, 3), (3, 2, 4, 4)):
        numbers = tuple(randn(d_model, d_model) / 2 for _ in range(4))
        yield d_model, num_heads, numbers, randn(batch, length, d_model), True
