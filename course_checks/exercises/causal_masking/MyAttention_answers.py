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


# wrong: dropout behind out_proj
# named: dropout_on_output
class DropsOutput(nn.Module):
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
        empty = ~allowed.any(dim=-1, keepdim=True)
        scores = scores.masked_fill(~allowed & ~empty, -math.inf)
        weights = torch.softmax(scores, dim=-1).masked_fill(empty, 0.0)
        heads = weights @ v
        return self.dropout(self.out_proj(heads.transpose(1, 2).reshape(B, T, C))), weights


# wrong: never uses dropout
# named: no_dropout
class NoDropout(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads, self.head_dim = num_heads, d_model // num_heads
        self.q_proj = nn.Linear(d_model, d_model, bias=False)
        self.k_proj = nn.Linear(d_model, d_model, bias=False)
        self.v_proj = nn.Linear(d_model, d_model, bias=False)
        self.out_proj = nn.Linear(d_model, d_model, bias=False)

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
        empty = ~allowed.any(dim=-1, keepdim=True)
        scores = scores.masked_fill(~allowed & ~empty, -math.inf)
        weights = torch.softmax(scores, dim=-1).masked_fill(empty, 0.0)
        heads = weights @ v
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
