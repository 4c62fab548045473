"""Answers to safe_masked_softmax (lesson 05, exercise 6), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F

from course_lib.attention import masks


# wrong: adds minus infinity and replaces NaN afterwards, so the gradient is NaN
# named: replaced_too_late
def added_and_mended(scores, mask):
    bias = torch.zeros_like(scores).masked_fill(~mask, -math.inf)
    return torch.nan_to_num(torch.softmax(scores + bias, dim=-1))


# wrong: looks for empty columns (any over dim -2) instead of empty rows
def any_dim(scores, mask):
    some = mask.any(dim=-2, keepdim=True)
    w = torch.softmax(scores.masked_fill(~mask & some, -math.inf), dim=-1)
    return w.masked_fill(~mask, 0.0)


# wrong: asks of the whole mask whether it allows something
# named: whole_mask
def any_over_all(scores, mask):
    if not mask.any():
        return torch.zeros_like(scores)
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)


# wrong: looks for something allowed in each column
# named: any_over_queries
def any_over_queries(scores, mask):
    has_any = mask.any(dim=-2, keepdim=True)
    weights = torch.softmax(scores.masked_fill(~mask & has_any, -math.inf), dim=-1)
    return weights.masked_fill(~has_any, 0.0)


# wrong: one empty row clears all rows
# named: one_empty_clears_all
def any_row_empty_clears_all(scores, mask):
    if not mask.any(dim=-1).all():
        return torch.zeros_like(scores)
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)


# right
def by_hand_in_float32(scores, mask):
    s = scores.float()
    top = s.masked_fill(~mask, -math.inf).amax(-1, keepdim=True).detach()
    top = torch.where(top.isfinite(), top, torch.zeros_like(top))
    e = (s - top).masked_fill(~mask, -math.inf).exp()
    return (e / e.sum(-1, keepdim=True).clamp(min=1.0)).to(scores.dtype)


# wrong: cuts the gradient
# named: detached
def detached(scores, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    weights = torch.softmax(scores.detach().masked_fill(~mask & has_any, -math.inf), dim=-1)
    return weights.masked_fill(~has_any, 0.0)


# wrong: lets empty rows attend to everything and leaves it so
# named: unmasked_where_empty
def empty_rows_see_all(scores, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    return torch.softmax(scores.masked_fill(~mask & has_any, -math.inf), dim=-1)


# wrong: naive exponentials that overflow for large scores
# named: without_maximum
def exp_with_eps(scores, mask):
    e = torch.exp(scores) * mask
    return e / (e.sum(dim=-1, keepdim=True) + 1e-9)


# right
def filled_and_mended(scores, mask):
    w = F.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
    return torch.where(w.isnan(), torch.zeros_like(w), w)


# wrong: fills with the lowest number of the dtype divided by a million, which in float16 is only -0.07 and blocks nothing
def finfo(scores, mask):
    w = torch.softmax(scores.masked_fill(~mask, torch.finfo(scores.dtype).min / 1e6), dim=-1)
    return w.masked_fill(~mask.any(-1, keepdim=True), 0.0)


# wrong: fills in the smallest number, so that an empty row looks at all its blocked keys
# named: lowest_number
def finfo_min(scores, mask):
    low = torch.finfo(scores.dtype).min
    return torch.softmax(scores.masked_fill(~mask, low), dim=-1)


# wrong: lets an empty row attend to key 0
# named: first_key
def first_key_for_empty_rows(scores, mask):
    mask = mask.expand(scores.shape).clone()
    mask[..., 0] |= ~mask.any(dim=-1)
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)


# wrong: calls the reference
# named: forbidden
def from_course_lib(scores, mask):
    return masks.masked_softmax(scores, mask)


# wrong: exp and sum without subtracting the maximum, so large scores overflow
# not named yet: without_maximum
def half_overflow(scores, mask):
    e = scores.exp().masked_fill(~mask, 0.0)
    return e / e.sum(-1, keepdim=True).clamp(min=1e-6)


# wrong: writes into the scores themselves
# named: changes_input
def in_place(scores, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = scores.masked_fill_(~mask & has_any, -math.inf)
    return torch.softmax(scores, dim=-1).masked_fill(~has_any, 0.0)


# wrong: indexes the weights with the rows' mask, which fits only a mask of the shape of the scores
def index_empty(scores, mask):
    empty = ~mask.any(dim=-1)
    safe = mask.clone()
    safe[empty] = True
    w = torch.softmax(scores.masked_fill(~safe, float("-inf")), dim=-1)
    w[empty] = 0
    return w


# wrong: blocks what is allowed
# named: inverted
def inverted(scores, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(mask & has_any, -math.inf), dim=-1)
    return weights.masked_fill(~has_any, 0.0)


# wrong: any without keepdim
# named: keepdim_forgotten
def keepdim_forgotten(scores, mask):
    has_any = mask.any(dim=-1)
    weights = torch.softmax(scores.masked_fill(~mask & has_any, -math.inf), dim=-1)
    return weights.masked_fill(~has_any, 0.0)


# right
def manual(scores, mask):
    mask = mask.expand(scores.shape)
    full = mask | ~mask.any(dim=-1, keepdim=True)
    low = scores.masked_fill(~full, -math.inf)
    weights = torch.softmax(low, dim=-1)
    return torch.where(mask, weights, torch.zeros_like(weights))


# wrong: masks after the softmax
# named: masked_after
def masked_after_the_softmax(scores, mask):
    return torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)


# wrong: subtracts the largest score of the row, blocked ones included, so that the allowed ones may vanish
# named: renormalised_with_eps
def max_of_blocked(scores, mask):
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True)) * mask
    return e / e.sum(dim=-1, keepdim=True).clamp(min=1e-6)


# wrong: writes zeros over the NaN in place after adding minus infinity
# named: replaced_too_late
def mended_in_place(scores, mask):
    bias = torch.zeros(scores.shape, dtype=scores.dtype).masked_fill(~mask, -math.inf)
    weights = (scores + bias).softmax(-1).clone()
    weights[weights.isnan()] = 0.0
    return weights


# wrong: adds minus infinity and replaces the NaN, so the gradient is NaN
# named: replaced_too_late
def mended_too_late(scores, mask):
    bias = torch.zeros_like(scores).masked_fill(~mask, -math.inf)
    return torch.softmax(scores + bias, dim=-1).nan_to_num(0.0)


# wrong: -10000 and zeros after it: lower scores lose to it
# named: filled_then_cleared
def minus_1e4_then_zero(scores, mask):
    weights = torch.softmax(scores.masked_fill(~mask, -1e4), dim=-1)
    return weights.masked_fill(~mask, 0.0)


# wrong: -1e9, so an empty row looks at everything
# named: minus_1e9
def minus_1e9(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)


# wrong: -1e9 and zeros after it, which float16 cannot hold
# named: filled_then_cleared
def minus_1e9_then_zero(scores, mask):
    weights = torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)
    return weights.masked_fill(~mask, 0.0)


# wrong: adds -inf and replaces the NaN afterwards: the gradient is NaN
# named: replaced_too_late
def nan_to_num(scores, mask):
    bias = torch.zeros_like(scores).masked_fill(~mask, -math.inf)
    return torch.nan_to_num((scores + bias).softmax(-1), nan=0.0)


# wrong: the masked softmax of exercise 3, NaN in empty rows
# named: not_a_number
def not_safe(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)


# wrong: softmax over the queries
# named: over_queries
def over_the_queries(scores, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(~mask & has_any, -math.inf), dim=-2)
    return weights.masked_fill(~has_any, 0.0)


# wrong: masks after the softmax and divides by a clamped sum
# named: renormalised_with_eps
def renormalised_with_a_clamp(scores, mask):
    weights = torch.softmax(scores, dim=-1) * mask
    return weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-9)


# wrong: returns float32 for float16 scores
# named: dtype
def returns_float32(scores, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    weights = torch.softmax(scores.float().masked_fill(~mask & has_any, -math.inf), dim=-1)
    return weights.masked_fill(~has_any, 0.0)


# right
def right_blocks_only_where_something_is_left(scores, mask):
    empty = ~mask.any(dim=-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(~(mask | empty), -math.inf), dim=-1)
    return torch.where(empty, torch.zeros_like(weights), weights)


# right
def right_by_hand_in_float64(scores, mask):
    mask = mask.expand(scores.shape)
    s = scores.double().masked_fill(~mask, 0.0)
    top = scores.double().masked_fill(~mask, -math.inf).amax(dim=-1, keepdim=True)
    top = torch.where(top.isinf(), torch.zeros_like(top), top).detach()
    e = torch.exp((s - top).masked_fill(~mask, 0.0)) * mask
    total = e.sum(dim=-1, keepdim=True)
    total = total + (total == 0)
    return (e / total).to(scores.dtype)


# right
def right_empty_rows_at_zero(scores, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(~mask, -math.inf).masked_fill(~has_any, 0.0)
    return torch.softmax(scores, dim=-1) * has_any


# right
def right_filled_and_mended(scores, mask):
    """masked_fill hands no gradient back to what it filled: the gradient is finite."""
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1).nan_to_num(0.0)


# right
def right_one_key_more(scores, mask):
    """One more key of weight 0 takes all of an empty row, and is cut off."""
    mask = mask.expand(scores.shape)
    empty = ~mask.any(dim=-1, keepdim=True)
    extra = torch.full_like(scores[..., :1], -math.inf).masked_fill(empty, 0.0)
    longer = torch.cat((scores.masked_fill(~mask, -math.inf), extra), dim=-1)
    return torch.softmax(longer, dim=-1)[..., :-1]


# right
def right_row_by_row(scores, mask):
    n = scores.shape[-1]
    mask = mask.expand(scores.shape).reshape(-1, n)
    rows = []
    for row, allowed in zip(scores.reshape(-1, n), mask):
        if allowed.any():
            rows.append(torch.softmax(row.masked_fill(~allowed, -math.inf), dim=0))
        else:
            rows.append(row * 0)
    return torch.stack(rows).view(scores.shape)


# wrong: replaces NaN with torch.where after adding minus infinity
# named: replaced_too_late
def where_nan(scores, mask):
    bias = torch.zeros_like(scores).masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores + bias, dim=-1)
    return torch.where(torch.isnan(weights), torch.zeros_like(weights), weights)


# wrong: asks whether the whole mask is empty, not each row
# named: whole_mask
def whole_mask_empty(scores, mask):
    if mask.any():
        return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
    return torch.zeros_like(scores)


# wrong: fills blocked scores with 0 and clears them afterwards
# named: zero_then_cleared
def zero_scores(scores, mask):
    weights = torch.softmax(scores.masked_fill(~mask, 0.0), dim=-1)
    return weights.masked_fill(~mask, 0.0)


# wrong: blocked scores are set to 0
# named: filled_with_zero
def filled_with_0(scores, mask):
    some = mask.any(-1, keepdim=True)
    return torch.softmax(scores.masked_fill(~mask, 0), -1).masked_fill(~some, 0)


# wrong: softmax over the queries, and nan_to_num for the rows that are empty
# named: over_queries
def over_queries_without_nan(scores, mask):
    return scores.masked_fill(~mask, float("-inf")).softmax(dim=-2).nan_to_num(0.0)


# wrong: all in the place of any
# named: masked_after
def all_and_multiplied(scores, mask):
    full = mask.all(dim=-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(~mask & full, float("-inf")), dim=-1)
    return weights * mask


# wrong: the lowest number, then zero
# named: lowest_then_cleared
def lowest_then_zero(scores, mask):
    filled = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    return torch.softmax(filled, dim=-1).masked_fill(~mask, 0.0)


# wrong: -9e15 and nothing else
# named: minus_1e9
def nine_e15(scores, mask):
    return torch.softmax(torch.where(mask, scores, torch.full_like(scores, -9e15)), dim=-1)


# wrong: -1e6 by where
# named: minus_1e9
def million_by_where(scores, mask):
    return torch.softmax(torch.where(mask, scores, -1e6), dim=-1)
