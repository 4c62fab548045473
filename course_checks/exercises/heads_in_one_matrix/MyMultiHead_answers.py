"""Answers to MyMultiHead (lesson 04, exercise 10), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_lib import MultiHeadAttention


# right
class ViewAndTranspose(nn.Module):
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
        return self.out_proj((weights @ v).transpose(1, 2).reshape(B, T, C)), weights


# right
class FlattenedBatch(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        """The heads stand in the batch."""
        parts = []
        for projection in (self.q_proj, self.k_proj, self.v_proj):
            heads = projection(x).unflatten(2, (self.num_heads, self.head_dim)).movedim(2, 1)
            parts.append(heads.flatten(0, 1))
        q, k, v = parts
        weights = F.softmax(torch.bmm(q, k.mT) / self.head_dim**0.5, dim=-1)
        heads = torch.bmm(weights, v).unflatten(0, (len(x), -1))
        return self.out_proj(heads.movedim(1, 2).flatten(2)), weights.unflatten(0, (len(x), -1))


# wrong: hands everything to the course's layer
# named: forbidden
class OfTheCourse(MultiHeadAttention):
    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads, bias=False)

    def forward(self, x):
        return super().forward(x, need_weights=True)


# wrong: views as heads before tokens
# named: heads_before_tokens
class HeadsBeforeTokens(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q = self.q_proj(x).view(B, self.num_heads, T, self.head_dim)
        k = self.k_proj(x).view(B, self.num_heads, T, self.head_dim)
        v = self.v_proj(x).view(B, self.num_heads, T, self.head_dim)
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.head_dim), dim=-1)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(B, T, C)), weights


# wrong: forgets the transpose, so that heads attend to heads
# named: no_transpose
class NoTranspose(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.head_dim)
        k = self.k_proj(x).view(B, T, self.num_heads, self.head_dim)
        v = self.v_proj(x).view(B, T, self.num_heads, self.head_dim)
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.head_dim), dim=-1)
        return self.out_proj((weights @ v).reshape(B, T, C)), weights


# wrong: cuts the features the other way round
# named: features_before_heads
class FeaturesFirst(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q = self.q_proj(x).view(B, T, self.head_dim, self.num_heads).permute(0, 3, 1, 2)
        k = self.k_proj(x).view(B, T, self.head_dim, self.num_heads).permute(0, 3, 1, 2)
        v = self.v_proj(x).view(B, T, self.head_dim, self.num_heads).permute(0, 3, 1, 2)
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.head_dim), dim=-1)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(B, T, C)), weights


# wrong: reshapes back without a transpose
# named: joined_without_transpose
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


# wrong: scales by d_model
# named: scaled_by_d_model
class ScaledByDModel(nn.Module):
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
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(C), dim=-1)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(B, T, C)), weights


# wrong: the softmax runs over the queries
# named: softmax_over_queries
class OverQueries(nn.Module):
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
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.head_dim), dim=-2)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(B, T, C)), weights


# wrong: dim=1, which is the heads here
# named: softmax_over_heads
class DimOne(nn.Module):
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
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.head_dim), dim=1)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(B, T, C)), weights


# wrong: never calls out_proj
# named: out_proj_unused
class OutProjUnused(nn.Module):
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
        return (weights @ v).transpose(1, 2).reshape(B, T, C), weights


# wrong: one matrix for all three, as in GPT-2
# named: all_in_one
class AllInOne(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_model // num_heads
        self.c_attn = nn.Linear(d_model, 3 * d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (
            part.view(B, T, self.num_heads, -1).transpose(1, 2)
            for part in self.c_attn(x).split(C, dim=2)
        )
        weights = torch.softmax(q @ k.mT / math.sqrt(self.head_dim), dim=-1)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(B, T, C)), weights


# wrong: leaves the bias on
# named: with_bias
class BiasLeftOn(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)

    def forward(self, x):
        B, T, C = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_heads, self.head_dim).transpose(1, 2)
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.head_dim), dim=-1)
        return self.out_proj((weights @ v).transpose(1, 2).reshape(B, T, C)), weights


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


# wrong: the transpose is forgotten in the split and the join (heads see each other, tokens do not)
# named: heads_before_tokens
class ReshapedBothWays(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4)
        )

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (
            p(x).reshape(b, self.num_heads, t, -1) for p in (self.q_proj, self.k_proj, self.v_proj)
        )
        w = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1)
        return self.out_proj((w @ v).reshape(b, t, d)), w


# wrong: heads taken feature by feature (unflatten with the heads last)
# named: features_before_heads
class EveryNthFeature(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4)
        )

    def forward(self, x):
        q, k, v = (
            p(x).unflatten(-1, (-1, self.num_heads)).permute(0, 3, 1, 2)
            for p in (self.q_proj, self.k_proj, self.v_proj)
        )
        w = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), -1)
        return self.out_proj((w @ v).permute(0, 2, 3, 1).flatten(2)), w


# wrong: goes through the heads one by one, with sums of products in place of matmul
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
