"""Softmaxes behind a mask that go wrong where a row is empty, or elsewhere."""

import torch
from torch import finfo, softmax, zeros_like


def filled(scores, mask):
    return softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)


def replaced_too_late(scores, mask):
    blocked = zeros_like(scores).masked_fill(~mask, -torch.inf)
    return softmax(scores + blocked, dim=-1).nan_to_num(0.0)


def lowest(scores, mask):
    return softmax(scores.masked_fill(~mask, finfo(scores.dtype).min), dim=-1)


def reachable(scores, mask):
    return softmax(scores.masked_fill(~mask, -50.0), dim=-1) * mask.any(dim=-1, keepdim=True)


def all_keys(scores, mask):
    return softmax(scores, dim=-1) * mask.any(dim=-1, keepdim=True)


def blocked_too_late(scores, mask):
    return softmax(scores, dim=-1) * mask


def only_all_empty(scores, mask):
    return filled(scores, mask) if mask.any() else zeros_like(scores)


def one_for_all(scores, mask):
    return filled(scores, mask) if mask.any(dim=-1).all() else zeros_like(scores)


def first_key_allowed(scores, mask):
    is_first = torch.arange(scores.shape[-1]) == 0
    return filled(scores, mask | (is_first & ~mask.any(dim=-1, keepdim=True)))


def tiny_denominator(scores, mask):
    exps = scores.exp() * mask
    return exps / (exps.sum(dim=-1, keepdim=True) + 1e-9)


def one_more(scores, mask):
    """The softmax with a 1 added to its denominator."""
    highest = scores.masked_fill(~mask, -1e30).amax(dim=-1, keepdim=True) if mask.numel() else 0
    exps = (scores.masked_fill(~mask, -1e30) - highest).exp() * mask
    return exps / (exps.sum(dim=-1, keepdim=True) + 1)


def highest_of_all(scores, mask):
    """Subtracts the largest score, be it blocked or not."""
    highest = scores.amax(dim=-1, keepdim=True) if scores.shape[-1] else 0
    exps = (scores - highest).exp() * mask
    return exps / exps.sum(dim=-1, keepdim=True).clamp(min=1e-30)


def over_queries(scores, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    blocked = scores.masked_fill(~mask & has_any, -torch.inf)
    return softmax(blocked, dim=-2).masked_fill(~mask, 0.0)


def any_over_batch(scores, mask):
    has_any = mask.any(dim=0, keepdim=True)
    blocked = scores.masked_fill(~mask & has_any, -torch.inf)
    return softmax(blocked, dim=-1).masked_fill(~has_any, 0.0)


def first_decides(scores, mask):
    has_any = mask[:1].any(dim=-1, keepdim=True)
    blocked = scores.masked_fill(~mask & has_any, -torch.inf)
    return softmax(blocked, dim=-1).masked_fill(~has_any, 0.0)
