"""Lesson 05, exercise 8: a right attention class, and versions with a mistake."""

import math

import torch
from torch import nn, ones, softmax

from course_lib.checks.heads_in_one_matrix.MyMultiHead import NAMES


class MyAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.num_heads = num_heads
        for name in NAMES:
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None, is_causal=False):
        query, key, value = (
            projection(x).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for projection in (self.q_proj, self.k_proj, self.v_proj)
        )  # (batch, num_heads, seq_len, head_dim)
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        allowed = ones(scores.shape[-2:], dtype=torch.bool)
        if is_causal:
            allowed = allowed.tril()
        if mask is not None:
            allowed = allowed & mask
        has_any = allowed.any(dim=-1, keepdim=True)
        weights = softmax(scores.masked_fill(~allowed & has_any, -math.inf), dim=-1)
        weights = weights.masked_fill(~has_any, 0.0)
        heads = self.dropout(weights) @ value
        return self.out_proj(heads.transpose(1, 2).flatten(-2)), weights


# --- wrong versions -----------------------------------------------------------------------------


def version(
    allow=lambda mask, causal: mask & causal,
    weigh=None,
    drop=lambda layer, weights: layer.dropout(weights),
    scale=lambda query: 1 / math.sqrt(query.shape[-1]),
    finish=lambda layer, output: output,
    causal_of=lambda scores: ones(scores.shape[-2:], dtype=torch.bool).tril(),
    ask=lambda mask, is_causal: (mask, is_causal),
    split=lambda x, num_heads: x.unflatten(-1, (num_heads, -1)).transpose(1, 2),
):
    """A version that does one of the steps in another way."""
    weigh = safe if weigh is None else weigh

    class Version(MyAttention):
        def forward(self, x, mask=None, is_causal=False):
            mask, is_causal = ask(mask, is_causal)
            query, key, value = (
                split(one(x), self.num_heads) for one in (self.q_proj, self.k_proj, self.v_proj)
            )
            scores = query @ key.mT * scale(query)
            everything = ones(scores.shape[-2:], dtype=torch.bool)
            causal = causal_of(scores) if is_causal else everything
            if mask is None or not is_causal:
                allowed = causal if mask is None else mask
            else:
                allowed = allow(mask, causal)
            weights = weigh(scores, allowed)
            heads = drop(self, weights) @ value
            return finish(self, self.out_proj(heads.transpose(1, 2).flatten(-2))), weights

    return Version


def safe(scores, allowed):
    has_any = allowed.any(dim=-1, keepdim=True)
    weights = softmax(scores.masked_fill(~allowed & has_any, -math.inf), dim=-1)
    return weights.masked_fill(~has_any, 0.0)


def blocked_with(number):
    return lambda scores, allowed: softmax(scores.masked_fill(~allowed, number), dim=-1)


def mended_too_late(scores, allowed):
    blocked = torch.zeros_like(scores).masked_fill(~allowed, -math.inf)
    return softmax(scores + blocked, dim=-1).nan_to_num(0.0)


class DropsScores(MyAttention):
    """Scores are dropped before the softmax; in eval mode it is right."""

    def forward(self, x, mask=None, is_causal=False):
        drop = self.dropout
        other = version(
            weigh=lambda scores, allowed: safe(drop(scores), allowed),
            drop=lambda layer, weights: weights,
        )
        return other.forward(self, x, mask, is_causal)


def not_scaled(layer, weights):
    if not layer.training:
        return weights
    return weights * (torch.rand_like(weights) >= layer.dropout.p)


def kept_for_dropped(layer, weights):
    return nn.functional.dropout(weights, 1 - layer.dropout.p, layer.training)


class Detached(MyAttention):
    def forward(self, x, mask=None, is_causal=False):
        with torch.no_grad():
            return super().forward(x, mask, is_causal)


class NoOutProj(MyAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout)
        self.out_proj = nn.Identity()


class WithBias(MyAttention):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__(d_model, num_heads, dropout)
        for name in NAMES:
            setattr(self, name, nn.Linear(d_model, d_model))


class OutputAlone(MyAttention):
    def forward(self, x, mask=None, is_causal=False):
        return super().forward(x, mask, is_causal)[0]
