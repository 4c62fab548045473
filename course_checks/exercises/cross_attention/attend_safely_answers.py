"""Answers to attend_safely (lesson 06, exercise 5), right and wrong, as students write them."""

import functools
import math

import torch
import torch.nn.functional as F

import course_checks as checks
from course_lib import padding_mask, scaled_dot_product_attention


# right
def sdpa(query, key, value, mask):
    """Softmax in torch's own function, on rows that always allow something."""
    has_any = mask.any(-1, keepdim=True)
    identity = torch.eye(key.shape[-2], dtype=key.dtype).expand(*key.shape[:-1], -1)
    if key.shape[-2] == 0:
        output = query.new_zeros(*query.shape[:-1], value.shape[-1])
        return output, query.new_zeros(*query.shape[:-1], 0)
    attend = functools.partial(F.scaled_dot_product_attention, attn_mask=mask | ~has_any)
    return [torch.where(has_any, attend(query, key, part), 0.0) for part in (value, identity)]


# right
def sentences(query, key, value, mask):
    """Each sentence by itself, without its padding."""
    outputs, rows = [], []
    for q, k, v, real in zip(query, key, value, mask[:, 0, 0], strict=True):
        scores = q @ k[:, real].mT / math.sqrt(q.shape[-1])
        weights = scores.softmax(-1)
        outputs.append(weights @ v[:, real])
        row = torch.zeros(*q.shape[:2], k.shape[1], dtype=q.dtype)
        row[..., real] = weights
        rows.append(row)
    return torch.stack(outputs), torch.stack(rows)


# wrong: takes the maximum over the keys, which does not exist when there are none
def amax_crash(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    has_any = mask.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(~mask & has_any, -math.inf)
    e = (scores - scores.amax(dim=-1, keepdim=True)).exp() * mask
    weights = e / e.sum(dim=-1, keepdim=True).clamp(min=1e-9)
    return weights @ value, weights


# wrong: asks of the whole batch whether there is something to read
# named: only_all_empty
def any_in_batch(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if not mask.any():
        weights = torch.zeros_like(scores)
    else:
        weights = torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
    return weights @ value, weights


# wrong: adds 1 to the denominator so that it is never 0, which changes all weights
# named: one_in_the_denominator
def denominator_plus_one(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    top = scores.masked_fill(~mask, -1e30).amax(-1, keepdim=True) if scores.shape[-1] else 0
    e = torch.exp(scores.masked_fill(~mask, -1e30) - top) * mask
    weights = e / (e.sum(dim=-1, keepdim=True) + 1)
    return weights @ value, weights


# wrong: the weights are detached, so no NaN comes back and no gradient either
# named: gradient_cut
# points: 5
def detached(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1).detach().nan_to_num(0.0)
    return weights @ value, weights


# wrong: gives the answer for no keys the width of the queries, not of the values
# named: zeros_like_query
def empty_wrong_width(query, key, value, mask):
    if key.shape[2] == 0:
        return torch.zeros_like(query), query.new_zeros(*query.shape[:3], 0)
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores.masked_fill(~mask & has_any, -math.inf), dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights


# wrong: an empty row is allowed to read key 0, so that the softmax works
# named: first_key_allowed
def first_key_opened(query, key, value, mask):
    if mask.shape[-1]:
        mask = mask.clone()
        mask[..., 0] |= ~mask.any(dim=-1)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights @ value, weights


# wrong: calls the course's own function
# named: forbidden
def library(query, key, value, mask):
    return scaled_dot_product_attention(query, key, value, mask=mask)


# wrong: -100 is too small a number to hide a key from large scores
# named: reachable_number
# points: 6
def minus_100(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -100.0).softmax(dim=-1) * mask.any(-1, keepdim=True)
    return weights @ value, weights


# wrong: softmax of all -inf gives NaN which is replaced afterwards by adding the mask, so a gradient is NaN
# named: replaced_too_late
# points: 5
def nan_after(query, key, value, mask):
    bias = torch.zeros(mask.shape, dtype=query.dtype).masked_fill(~mask, -math.inf)
    s = query @ key.mT / math.sqrt(query.shape[-1]) + bias
    w = torch.softmax(s, -1).nan_to_num(0.0)
    return w @ value, w


# wrong: the caller's mask is opened in place for empty sentences
# named: changes_input
def opens_the_mask_in_place(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    mask |= ~has_any
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1).masked_fill(~has_any, 0.0)
    return weights @ value, weights


# wrong: 1e-9 in the denominator, over exp without subtracting the maximum
# named: tiny_denominator
def tiny_denominator(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    e = torch.exp(scores) * mask
    weights = e / (e.sum(dim=-1, keepdim=True) + 1e-9)
    return weights @ value, weights


# wrong: the softmax times the mask, divided by its sum
# named: highest_of_all
def softmax_times_mask_shared_anew(query, key, value, mask):
    w = torch.softmax(query @ key.mT / math.sqrt(query.shape[-1]), -1) * mask
    w = w / w.sum(-1, keepdim=True).clamp(min=1e-9)
    return w @ value, w


# wrong: returns two numbers where all is padding
# points: 3
# says: has shape ()
def returns_early(query, key, value, mask):
    if not mask.any():
        return torch.zeros(()), torch.zeros(())
    return checks.attend_safely.exercise.reference(query, key, value, mask)


# wrong: takes a maximum over keys where there may be none
# points: 6
# says: amax(): Expected reduction dim
def needs_a_key(query, key, value, mask):
    scores = (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(~mask, -math.inf)
    numerators = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    weights = (numerators / numerators.sum(dim=-1, keepdim=True)).nan_to_num()
    return weights @ value, weights


# wrong: does not use the mask
# named: mask_ignored
def softmax_of_all(query, key, value, mask):
    weights = (query @ key.mT / math.sqrt(query.shape[-1])).softmax(-1)
    return weights @ value, weights


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for lengths, heads, key_len in (
        ([1, 3], 1, 3),
        ([0, 2, 4], 3, 5),
        ([0], 2, 1),
        ([0], 1, 0),
    ):
        parts = (randn(len(lengths), heads, n, 5) for n in (3, key_len, key_len))
        yield *parts, padding_mask(lengths, key_len)
