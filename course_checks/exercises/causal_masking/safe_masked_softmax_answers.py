"""Answers to safe_masked_softmax (lesson 05, exercise 6), right and wrong, as students write them."""

import functools
import math

import torch

from course_checks.exercises.causal_masking.shared_answers import random_masks
from course_lib.attention import masks


# right
def by_filled(scores, mask):
    """NaN arises, and masked_fill hands no gradient back to the places that it filled."""
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1).nan_to_num(0.0)


# right
def where(scores, mask):
    empty = ~mask.any(-1, keepdim=True)
    weights = torch.where(mask | empty, scores, -torch.inf).softmax(-1)
    return torch.where(empty, 0.0, weights).to(scores.dtype)


# right
def clamped(scores, mask):
    lowest = torch.finfo(scores.dtype).min
    top = scores.masked_fill(~mask, lowest).amax(dim=-1, keepdim=True).detach()
    numerators = (scores - top).clamp(max=0).exp() * mask
    return numerators / numerators.sum(dim=-1, keepdim=True).clamp(min=1e-4)


# wrong: asks of the whole mask whether it allows something
# named: whole_mask
def any_over_all(scores, mask):
    if not mask.any():
        return torch.zeros_like(scores)
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)


# wrong: one empty row clears all rows
# named: one_empty_clears_all
def any_row_empty_clears_all(scores, mask):
    if not mask.any(dim=-1).all():
        return torch.zeros_like(scores)
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)


# wrong: cuts the gradient
# named: detached
# points: 5
def detached(scores, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    weights = torch.softmax(scores.detach().masked_fill(~mask & has_any, -math.inf), dim=-1)
    return weights.masked_fill(~has_any, 0.0)


# wrong: naive exponentials that overflow for large scores
# named: without_maximum
def exp_with_eps(scores, mask):
    e = torch.exp(scores) * mask
    return e / (e.sum(dim=-1, keepdim=True) + 1e-9)


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


# wrong: -10000 and zeros after it: lower scores lose to it
# named: filled_then_cleared
# points: 5
def minus_1e4_then_zero(scores, mask):
    weights = torch.softmax(scores.masked_fill(~mask, -1e4), dim=-1)
    return weights.masked_fill(~mask, 0.0)


# wrong: adds -inf and replaces the NaN afterwards: the gradient is NaN
# named: replaced_too_late
# points: 5
def nan_to_num(scores, mask):
    bias = torch.zeros_like(scores).masked_fill(~mask, -math.inf)
    return torch.nan_to_num((scores + bias).softmax(-1), nan=0.0)


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


# wrong: fills blocked scores with 0 and clears them afterwards
# named: zero_then_cleared
def zero_scores(scores, mask):
    weights = torch.softmax(scores.masked_fill(~mask, 0.0), dim=-1)
    return weights.masked_fill(~mask, 0.0)


# wrong: divides masked weights again, and by 1 where a row is empty
# named: renormalised
# points: 5
def adds_one_where_empty(scores, mask):
    weights = torch.softmax(scores, dim=-1) * mask
    return weights / (weights.sum(dim=-1, keepdim=True) + ~mask.any(dim=-1, keepdim=True))


# wrong: clamps the sum by a number that float16 does not have
# named: with_eps
def clamped_sum(scores, mask):
    top = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).amax(dim=-1, keepdim=True)
    numerators = torch.exp(scores - top).masked_fill(~mask, 0)
    return numerators / numerators.sum(dim=-1, keepdim=True).clamp(min=1e-9)


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


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape, of_mask in (((6, 2), (6, 2)), ((3, 2, 5), (3, 1, 5)), ((2, 4, 3, 3), (3, 3))):
        mask = random_masks(generator, *of_mask)
        yield (5 * randn(*shape), mask)
        mask[..., -1, :] = False
        yield (5 * randn(*shape), mask)
