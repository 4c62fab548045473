"""Answers to MyAttention (lesson 05, exercise 8), right and wrong, as students write them."""

import functools
import math

import torch
import torch.nn.functional as F
from torch import nn

from course_checks.exercises.causal_masking.shared_answers import random_masks
from course_lib import MultiHeadAttention


# right
class by_added(nn.Module):
    """The mask is added, with a finite number, and empty rows are cleared behind the softmax."""

    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.heads, self.p = num_heads, dropout
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, -1).permute(0, 2, 1, 3)

    def forward(self, x, mask=None, is_causal=False):
        length = x.shape[1]
        allowed = torch.ones(1, 1, length, length, dtype=torch.bool)
        if mask is not None:
            allowed = allowed & mask
        if is_causal:
            later = torch.arange(length) > torch.arange(length)[:, None]
            allowed = allowed & ~later
        query, key, value = map(self.split, (self.q_proj(x), self.k_proj(x), self.v_proj(x)))
        scores = query @ key.mT * query.shape[-1] ** -0.5
        weights = (scores + (~allowed).to(x.dtype) * -1e30).softmax(-1) * allowed
        dropped = F.dropout(weights, self.p, training=self.training)
        return self.out_proj((dropped @ value).permute(0, 2, 1, 3).flatten(2)), dropped


# right
class chunks(nn.Module):
    """Heads by chunk and stack; NaN arises behind masked_fill, which lets no gradient through."""

    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads, self.drop = num_heads, nn.Dropout(dropout)
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4)
        )

    def forward(self, x, mask=None, is_causal=False):
        parts = (
            one(x).chunk(self.num_heads, -1) for one in (self.q_proj, self.k_proj, self.v_proj)
        )
        query, key, value = (torch.stack(part, dim=1) for part in parts)
        scores = torch.einsum("bhid,bhjd->bhij", query, key) / math.sqrt(key.size(-1))
        if is_causal:
            triangle = torch.ones_like(scores, dtype=torch.bool).tril()
            mask = triangle if mask is None else triangle & mask
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.softmax(scores, dim=-1)
        weights = torch.where(weights.isnan(), torch.zeros_like(weights), weights)
        heads = self.drop(weights) @ value
        return self.out_proj(torch.cat(heads.unbind(dim=1), dim=-1)), weights


# wrong: hands everything to the course's layer
# named: forbidden
class OfTheCourse(MultiHeadAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, bias=False, dropout=dropout)

    def forward(self, x, mask=None, is_causal=False):
        return super().forward(x, mask=mask, is_causal=is_causal, need_weights=True)


# wrong: masks the weights after the softmax
# named: masked_after_softmax
# points: 4
class MaskedTooLate(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None, is_causal=False):
        B, T, C = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, -1).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_heads, -1).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_heads, -1).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        allowed = torch.ones(T, T, dtype=torch.bool)
        if is_causal:
            allowed = allowed.tril()
        if mask is not None:
            allowed = allowed & mask
        weights = torch.softmax(scores, dim=-1) * allowed
        heads = self.dropout(weights) @ v
        return self.out_proj(heads.transpose(1, 2).reshape(B, T, C)), weights


# wrong: writes into the caller's mask
# named: changes_input
class WritesIntoMask(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None, is_causal=False):
        B, T, C = x.shape
        q = self.q_proj(x).view(B, T, self.num_heads, -1).transpose(1, 2)
        k = self.k_proj(x).view(B, T, self.num_heads, -1).transpose(1, 2)
        v = self.v_proj(x).view(B, T, self.num_heads, -1).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        allowed = torch.ones(T, T, dtype=torch.bool)
        if is_causal:
            allowed = allowed.tril()
        if mask is not None and is_causal:
            mask &= allowed
        if mask is not None:
            allowed = mask
        empty = ~allowed.any(dim=-1, keepdim=True)
        scores = scores.masked_fill(~allowed & ~empty, -math.inf)
        weights = torch.softmax(scores, dim=-1).masked_fill(empty, 0.0)
        heads = self.dropout(weights) @ v
        return self.out_proj(heads.transpose(1, 2).reshape(B, T, C)), weights


# wrong: whole keys are dropped, the same for all queries and heads
# points: 7
class WholeKeysDropped(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads, self.dropout = num_heads, nn.Dropout(dropout)
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4)
        )

    def forward(self, x, mask=None, is_causal=False):
        q, k, v = (
            p(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for p in (self.q_proj, self.k_proj, self.v_proj)
        )
        n = x.shape[1]
        may = torch.ones(n, n, dtype=torch.bool)
        may = may.tril() if is_causal else may
        may = may if mask is None else may & mask
        some = may.any(-1, keepdim=True)
        w = (
            (q @ k.mT / math.sqrt(q.shape[-1]))
            .masked_fill(~may & some, -math.inf)
            .softmax(-1)
            .masked_fill(~some, 0.0)
        )
        dropped = w * self.dropout(torch.ones(len(x), 1, 1, n, dtype=x.dtype))
        return self.out_proj((dropped @ v).transpose(1, 2).flatten(2)), w


# wrong: a mask behind the softmax, renormalised with a smallest sum
# named: renormalised_after
class MaskedBehindTheSoftmax(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None, is_causal=False):
        b, t, d = x.shape
        q, k, v = (
            layer(x).view(b, t, self.num_heads, -1).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        s = q @ k.transpose(-2, -1) / math.sqrt(d // self.num_heads)
        allowed = torch.ones(t, t, dtype=torch.bool)
        if is_causal:
            allowed = allowed.tril()
        if mask is not None:
            allowed = allowed & mask
        u = torch.softmax(s, -1) * allowed
        p = u / u.sum(-1, keepdim=True).clamp(min=1e-9)
        heads = self.dropout(p) @ v
        return self.out_proj(heads.transpose(1, 2).reshape(b, t, d)), p


# wrong: a mask behind the softmax, renormalised with a small number
# named: renormalised_after
# MaskedBehindWithEps = MaskedBehindTheSoftmax: p = u / u.sum(-1, keepdim=True).clamp(min=1e-9) -> p = u / (u.sum(-1, keepdim=True) + 1e-6)


# wrong: a mask behind the softmax, and the empty rows mended
# named: renormalised_after
class MaskedBehindAndMended(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None, is_causal=False):
        b, t, d = x.shape
        q, k, v = (
            layer(x).view(b, t, self.num_heads, -1).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        s = q @ k.transpose(-2, -1) / math.sqrt(d // self.num_heads)
        allowed = torch.ones(t, t, dtype=torch.bool)
        if is_causal:
            allowed = allowed.tril()
        if mask is not None:
            allowed = allowed & mask
        u = torch.softmax(s, -1).masked_fill(~allowed, 0.0)
        p = (u / u.sum(-1, keepdim=True)).masked_fill(~allowed.any(-1, keepdim=True), 0.0)
        heads = self.dropout(p) @ v
        return self.out_proj(heads.transpose(1, 2).reshape(b, t, d)), p


# wrong: is_causal is True by default
# named: causal_by_default
class CausalByDefault(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None, is_causal=True):
        b, t, d = x.shape
        q, k, v = (
            layer(x).view(b, t, self.num_heads, -1).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        s = q @ k.transpose(-2, -1) / math.sqrt(d // self.num_heads)
        allowed = torch.ones(t, t, dtype=torch.bool)
        if is_causal:
            allowed = allowed.tril()
        if mask is not None:
            allowed = allowed & mask
        has_any = allowed.any(dim=-1, keepdim=True)
        p = torch.softmax(s.masked_fill(~allowed & has_any, -math.inf), dim=-1)
        p = p.masked_fill(~has_any, 0.0)
        heads = self.dropout(p) @ v
        return self.out_proj(heads.transpose(1, 2).reshape(b, t, d)), p


# wrong: is_causal before the mask
# named: other_order
# CausalBeforeMask = CausalByDefault: def forward(self, x, mask=None, is_causal=True): -> def forward(self, x, is_causal=False, mask=None):


# wrong: a buffer of 1024 in the state_dict
class KeptTriangle(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("tri", torch.ones(1024, 1024, dtype=torch.bool).tril())

    def forward(self, x, mask=None, is_causal=False):
        b, t, d = x.shape
        q, k, v = (
            layer(x).view(b, t, self.num_heads, -1).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        s = q @ k.transpose(-2, -1) / math.sqrt(d // self.num_heads)
        allowed = torch.ones(t, t, dtype=torch.bool)
        if is_causal:
            allowed = self.tri[:t, :t]
        if mask is not None:
            allowed = allowed & mask
        has_any = allowed.any(dim=-1, keepdim=True)
        p = torch.softmax(s.masked_fill(~allowed & has_any, -math.inf), dim=-1)
        p = p.masked_fill(~has_any, 0.0)
        heads = self.dropout(p) @ v
        return self.out_proj(heads.transpose(1, 2).reshape(b, t, d)), p


# wrong: a table of 32, and no longer text
class TableOf32(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("tri", torch.ones(32, 32, dtype=torch.bool).tril(), persistent=False)

    def forward(self, x, mask=None, is_causal=False):
        b, t, d = x.shape
        q, k, v = (
            layer(x).view(b, t, self.num_heads, -1).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        s = q @ k.transpose(-2, -1) / math.sqrt(d // self.num_heads)
        allowed = torch.ones(t, t, dtype=torch.bool)
        if is_causal:
            allowed = self.tri[:t, :t]
        if mask is not None:
            allowed = allowed & mask
        has_any = allowed.any(dim=-1, keepdim=True)
        p = torch.softmax(s.masked_fill(~allowed & has_any, -math.inf), dim=-1)
        p = p.masked_fill(~has_any, 0.0)
        heads = self.dropout(p) @ v
        return self.out_proj(heads.transpose(1, 2).reshape(b, t, d)), p


# wrong: a table of 64 made in forward, and no longer text
# says: a text of 135 tokens is longer than its table
# TableInForward = CausalByDefault: def forward(self, x, mask=None, is_causal=True): -> def forward(self, x, mask=None, is_causal=False):
# TableInForward = CausalByDefault: allowed = allowed.tril() -> allowed = torch.ones(64, 64, dtype=torch.bool).tril()[:t, :t]


# wrong: a table of 1024, and no longer text
class TableOf1024(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer(
            "tri", torch.ones(1024, 1024, dtype=torch.bool).tril(), persistent=False
        )

    def forward(self, x, mask=None, is_causal=False):
        b, t, d = x.shape
        q, k, v = (
            layer(x).view(b, t, self.num_heads, -1).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        s = q @ k.transpose(-2, -1) / math.sqrt(d // self.num_heads)
        allowed = torch.ones(t, t, dtype=torch.bool)
        if is_causal:
            allowed = self.tri[:t, :t]
        if mask is not None:
            allowed = allowed & mask
        has_any = allowed.any(dim=-1, keepdim=True)
        p = torch.softmax(s.masked_fill(~allowed & has_any, -math.inf), dim=-1)
        p = p.masked_fill(~has_any, 0.0)
        heads = self.dropout(p) @ v
        return self.out_proj(heads.transpose(1, 2).reshape(b, t, d)), p


# wrong: the triangle of the first text is kept
class FirstTriangle(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None, is_causal=False):
        b, t, d = x.shape
        q, k, v = (
            layer(x).view(b, t, self.num_heads, -1).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        s = q @ k.transpose(-2, -1) / math.sqrt(d // self.num_heads)
        if not hasattr(self, "m"):
            self.m = torch.ones(t, t, dtype=torch.bool).tril()
        allowed = torch.ones(t, t, dtype=torch.bool)
        if is_causal:
            allowed = allowed & self.m[:t, :t]
        if mask is not None:
            allowed = allowed & mask
        has_any = allowed.any(dim=-1, keepdim=True)
        p = torch.softmax(s.masked_fill(~allowed & has_any, -math.inf), dim=-1)
        p = p.masked_fill(~has_any, 0.0)
        heads = self.dropout(p) @ v
        return self.out_proj(heads.transpose(1, 2).reshape(b, t, d)), p


# wrong: dropout of 0.1 by default
# named: dropout_by_default
# DropsByDefault = CausalByDefault: def __init__(self, d_model, num_heads, dropout=0.0): -> def __init__(self, d_model, num_heads, dropout=0.1):
# DropsByDefault = CausalByDefault: def forward(self, x, mask=None, is_causal=True): -> def forward(self, x, mask=None, is_causal=False):


# wrong: a finite number in front, and zeros behind
# named: finite_number
# FiniteThenZero = MaskedBehindTheSoftmax: u = torch.softmax(s, -1) * allowed -> p = torch.softmax(s.masked_fill(~allowed, -1e9), dim=-1)
# FiniteThenZero = MaskedBehindTheSoftmax: u / u.sum(-1, keepdim=True).clamp(min=1e-9) -> p.masked_fill(~allowed.any(dim=-1, keepdim=True), 0.0)


# wrong: another finite number, by torch.where
# named: finite_number
# WhereFinite = MaskedBehindTheSoftmax: u = torch.softmax(s, -1) * allowed -> p = torch.softmax(torch.where(allowed, s, -9e15), dim=-1)
# WhereFinite = MaskedBehindTheSoftmax: p = u / u.sum(-1, keepdim=True).clamp(min=1e-9) -> p = p * allowed.any(dim=-1, keepdim=True)


# wrong: finite numbers alone
# named: low_number
# LowestNumberAlone = MaskedBehindTheSoftmax: u = torch.softmax(s, -1) * allowed -> p = torch.softmax(s.masked_fill(~allowed, -1e20), dim=-1)
# LowestNumberAlone = MaskedBehindTheSoftmax: p = u / u.sum(-1, keepdim=True).clamp(min=1e-9) ->


# wrong: kept weights renormalised by row in training
# named: renormalised_in_training
class RenormalisedInTraining(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None, is_causal=False):
        b, t, d = x.shape
        q, k, v = (
            layer(x).view(b, t, self.num_heads, -1).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        s = q @ k.transpose(-2, -1) / math.sqrt(d // self.num_heads)
        allowed = torch.ones(t, t, dtype=torch.bool)
        if is_causal:
            allowed = allowed.tril()
        if mask is not None:
            allowed = allowed & mask
        has_any = allowed.any(dim=-1, keepdim=True)
        p = torch.softmax(s.masked_fill(~allowed & has_any, -math.inf), dim=-1)
        p = p.masked_fill(~has_any, 0.0)
        q = self.dropout(p)
        if self.training:
            q = q / q.sum(dim=-1, keepdim=True)
        heads = q @ v
        return self.out_proj(heads.transpose(1, 2).reshape(b, t, d)), p


# wrong: causal in training alone
# named: causal_in_one_mode
# CausalInTraining = CausalByDefault: def forward(self, x, mask=None, is_causal=True): -> def forward(self, x, mask=None, is_causal=False):
# CausalInTraining = CausalByDefault: if is_causal: -> if is_causal and self.training:


# wrong: causal in eval mode alone
# named: causal_in_one_mode
# CausalInEval = CausalByDefault: def forward(self, x, mask=None, is_causal=True): -> def forward(self, x, mask=None, is_causal=False):
# CausalInEval = CausalByDefault: if is_causal: -> if is_causal and not self.training:


# wrong: dropout on the values
# named: dropout_on_values
# DropsValues = CausalByDefault: def forward(self, x, mask=None, is_causal=True): -> def forward(self, x, mask=None, is_causal=False):
# DropsValues = CausalByDefault: heads = self.dropout(p) @ v -> heads = p @ self.dropout(v)


# wrong: reads the weights of its layers
class ReadsWeights(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None, is_causal=False):
        b, t, d = x.shape
        q, k, v = (
            torch.nn.functional.linear(x, layer.weight)
            .view(b, t, self.num_heads, -1)
            .transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        s = q @ k.transpose(-2, -1) / math.sqrt(d // self.num_heads)
        allowed = torch.ones(t, t, dtype=torch.bool)
        if is_causal:
            allowed = allowed.tril()
        if mask is not None:
            allowed = allowed & mask
        has_any = allowed.any(dim=-1, keepdim=True)
        p = torch.softmax(s.masked_fill(~allowed & has_any, -math.inf), dim=-1)
        p = p.masked_fill(~has_any, 0.0)
        heads = self.dropout(p) @ v
        return self.out_proj(heads.transpose(1, 2).reshape(b, t, d)), p


# wrong: a cap on the scores
# CapsScores = CausalByDefault: def forward(self, x, mask=None, is_causal=True): -> def forward(self, x, mask=None, is_causal=False):
# CapsScores = CausalByDefault: allowed = torch. -> s = s.clamp(-20, 20); allowed = torch.


# right
class TableThatGrows(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.table = torch.ones(0, 0, dtype=torch.bool)

    def forward(self, x, mask=None, is_causal=False):
        b, t, d = x.shape
        q, k, v = (
            layer(x).view(b, t, self.num_heads, -1).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        s = q @ k.transpose(-2, -1) / math.sqrt(d // self.num_heads)
        if len(self.table) < t:
            self.table = torch.ones(t, t, dtype=torch.bool).tril()
        allowed = torch.ones(t, t, dtype=torch.bool)
        if is_causal:
            allowed = self.table[:t, :t]
        if mask is not None:
            allowed = allowed & mask
        has_any = allowed.any(dim=-1, keepdim=True)
        p = torch.softmax(s.masked_fill(~allowed & has_any, -math.inf), dim=-1)
        p = p.masked_fill(~has_any, 0.0)
        heads = self.dropout(p) @ v
        return self.out_proj(heads.transpose(1, 2).reshape(b, t, d)), p


# wrong: no dropout when causal
# named: dropout_sometimes
# DropsUnlessCausal = CausalByDefault: def forward(self, x, mask=None, is_causal=True): -> def forward(self, x, mask=None, is_causal=False):
# DropsUnlessCausal = CausalByDefault: heads = self.dropout(p) @ v -> heads = (p if is_causal else self.dropout(p)) @ v


# wrong: no dropout with a mask
# named: dropout_sometimes
# DropsWithoutMask = CausalByDefault: def forward(self, x, mask=None, is_causal=True): -> def forward(self, x, mask=None, is_causal=False):
# DropsWithoutMask = CausalByDefault: heads = self.dropout(p) @ v -> heads = (self.dropout(p) if mask is None else p) @ v


# wrong: takes 10000 off
# named: finite_number
class TakesTenThousandOff(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None, is_causal=False):
        b, t, d = x.shape
        q, k, v = (
            layer(x).view(b, t, self.num_heads, -1).transpose(1, 2)
            for layer in (self.q_proj, self.k_proj, self.v_proj)
        )
        s = q @ k.transpose(-2, -1) / math.sqrt(d // self.num_heads)
        allowed = torch.ones(t, t, dtype=torch.bool)
        if is_causal:
            allowed = allowed.tril()
        if mask is not None:
            allowed = allowed & mask
        has_any = allowed.any(dim=-1, keepdim=True)
        p = torch.softmax(s + (~allowed & has_any) * -1e4, dim=-1).masked_fill(~has_any, 0.0)
        heads = self.dropout(p) @ v
        return self.out_proj(heads.transpose(1, 2).reshape(b, t, d)), p


# wrong: the first of the masks
# named: first_mask
# FirstMask = CausalByDefault: def forward(self, x, mask=None, is_causal=True): -> def forward(self, x, mask=None, is_causal=False):
# FirstMask = CausalByDefault: allowed = allowed & mask -> allowed = allowed & (mask[0] if mask.dim() > 2 else mask)


# wrong: normalize behind the softmax
# named: renormalised_after
# NormalizedAgain = MaskedBehindTheSoftmax: u = torch.softmax(s, -1) * allowed -> p = nn.functional.normalize(torch.softmax(s, -1) * allowed, p=1.0, dim=-1)
# NormalizedAgain = MaskedBehindTheSoftmax: p = u / u.sum(-1, keepdim=True).clamp(min=1e-9) ->


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    numbers = tuple(randn(8, 8) / 2 for _ in range(4))
    mask, for_heads = (random_masks(generator, *shape) for shape in ((3, 3), (2, 2, 3, 3)))
    empty = mask.clone()
    empty[1] = False
    for given, is_causal in (
        (None, False),
        (None, True),
        (mask, False),
        (for_heads, True),
        (empty, False),
        (empty, True),
    ):
        yield 8, 2, 0.0, numbers, randn(2, 3, 8), given, is_causal, True
    yield 8, 2, 0.5, numbers, randn(2, 3, 8), None, False, False
