"""Right answers to the exercises on causal masking, written in other ways."""

import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def causal_mask_positions(query_len, key_len):
    positions = torch.arange(key_len - query_len, key_len)
    return torch.arange(key_len) <= positions.unsqueeze(-1)


def causal_mask_triu(query_len, key_len):
    return torch.triu(torch.ones(query_len, key_len), diagonal=key_len - query_len + 1) == 0


def causal_mask_loop(query_len, key_len):
    back = key_len - query_len
    return torch.tensor([[j <= back + i for j in range(key_len)] for i in range(query_len)])


def leaks_all_later(layer, x):
    for i in range(len(x) - 1):
        changed = torch.cat([x[: i + 1], x[i + 1 :] + torch.randn(len(x) - i - 1, x.shape[1])])
        if not (layer(changed)[: i + 1] - layer(x)[: i + 1]).abs().max() <= 1e-4:
            return True
    return False


def leaks_jacobian(layer, x):
    slopes = torch.autograd.functional.jacobian(layer, x)  # (T, d, T, d)
    by_token = slopes.abs().amax(dim=(1, 3))  # row: output, column: token
    return not bool((by_token.triu(1) <= 1e-6).all())


def leaks_numpy(layer, x):
    before = layer(x).numpy()
    for j in reversed(range(len(x))):
        changed = x.clone()
        changed[j] = 3 * torch.rand(x.size(1)) - 1
        if not np.allclose(layer(changed).numpy()[:j], before[:j], rtol=0, atol=1e-6):
            return np.True_
    return np.False_


def masked_softmax_where(scores, mask):
    return F.softmax(torch.where(mask, scores, -torch.inf), -1)


def masked_softmax_added(scores, mask):
    return (scores + torch.zeros(mask.shape).to(scores).masked_fill(~mask, -torch.inf)).softmax(-1)


def masked_softmax_log(scores, mask):
    return torch.exp(torch.log_softmax(scores + mask.log().to(scores.dtype), dim=-1))


def masked_softmax_by_hand(scores, mask):
    scores = scores.masked_fill(mask == 0, -torch.inf)
    numerators = (scores - scores.max(dim=-1, keepdim=True).values).exp()
    return numerators / numerators.sum(dim=-1, keepdim=True)


def masked_call_float(layer, x, mask):
    blocked = torch.zeros(mask.shape, dtype=x.dtype).masked_fill(~mask, -torch.inf)
    return layer(query=x, key=x, value=x, attn_mask=blocked)


def masked_call_heads(layer, x, mask):
    blocked = mask.logical_not().repeat(len(x) * layer.num_heads, 1, 1)
    output, weights = layer(x, x, x, attn_mask=blocked, average_attn_weights=False)
    return [output, weights.mean(dim=1)]


def expand_mask_repeat(mask, batch, heads):
    if mask.dim() == 2:
        return mask.repeat(batch, heads, 1, 1)
    if mask.dim() == 3:
        return mask.repeat_interleave(heads, dim=0).view(batch, heads, *mask.shape[1:])
    return torch.broadcast_to(mask, (batch, heads, *mask.shape[2:]))


def expand_mask_and(mask, batch, heads):
    mask = mask[:, None] if mask.ndim == 3 else mask
    return mask & torch.ones(batch, heads, 1, 1, dtype=torch.bool)


def safe_masked_softmax_filled(scores, mask):
    """NaN arises, and masked_fill hands no gradient back to the places that it filled."""
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1).nan_to_num(0.0)


def safe_masked_softmax_where(scores, mask):
    empty = ~mask.any(-1, keepdim=True)
    weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1)
    return torch.where(empty, 0.0, weights).to(scores.dtype)


def safe_masked_softmax_clamped(scores, mask):
    lowest = torch.finfo(scores.dtype).min
    top = scores.masked_fill(~mask, lowest).amax(dim=-1, keepdim=True).detach()
    numerators = (scores - top).clamp(max=0).exp() * mask
    return numerators / numerators.sum(dim=-1, keepdim=True).clamp(min=1e-4)


def sliding_window_mask_positions(length, window):
    positions = torch.arange(length)
    back = positions.unsqueeze(1) - positions.unsqueeze(0)
    return torch.logical_and(back >= 0, back < window)


def sliding_window_mask_difference(length, window):
    causal = torch.ones(length, length).tril()
    return (causal - causal.tril(-window)).bool()


class MyAttention_added(nn.Module):
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


class MyAttention_chunks(nn.Module):
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
