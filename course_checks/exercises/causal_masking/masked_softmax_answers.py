"""Answers to masked_softmax (lesson 05, exercise 3), right and wrong, as students write them."""

import functools
import math

import torch
import torch.nn.functional as F

from course_checks.exercises.causal_masking.shared_answers import random_masks
from course_lib.attention.masks import masked_softmax as reference


# right
def where(scores, mask):
    return F.softmax(torch.where(mask, scores, -torch.inf), -1)


# right
def added(scores, mask):
    return (scores + torch.zeros(mask.shape).to(scores).masked_fill(~mask, -torch.inf)).softmax(-1)


# right
def log(scores, mask):
    return torch.exp(torch.log_softmax(scores + mask.log().to(scores.dtype), dim=-1))


# wrong: cuts the gradient
# named: detached
def detached(scores, mask):
    return torch.softmax(scores.detach().masked_fill(~mask, -math.inf), dim=-1)


# wrong: uses the mask of the first sentence for all
# named: first_mask
def first_mask_for_all(scores, mask):
    while mask.dim() > 2:
        mask = mask[0]
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)


# wrong: calls the reference
# named: forbidden
def from_course_lib(scores, mask):
    return reference(scores, mask)


# wrong: masked_fill_ changes the caller's scores
# named: changes_input
# points: 5
def inplace(scores, mask):
    return scores.masked_fill_(mask.logical_not(), -math.inf).softmax(dim=-1)


# wrong: fills with -1e9, which float16 cannot hold
# named: filled_with_1e4
# points: 5
def minus_1e9(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)


# wrong: masks after the softmax and divides by the row sums
# named: renormalised_after
def renormalised(scores, mask):
    w = torch.softmax(scores, dim=-1) * mask
    return w / w.sum(dim=-1, keepdim=True)


# wrong: computes in float32 and stays there
# named: dtype
# points: 5
def returns_float32(scores, mask):
    return torch.softmax(scores.float().masked_fill(~mask, -math.inf), dim=-1)


# wrong: adds a small number to the sum below the line
# named: renormalised_with_eps
def small_number_in_the_sum(scores, mask):
    e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values) * mask
    return e / (e.sum(dim=-1, keepdim=True) + 1e-6)


# wrong: equal shares among the allowed keys
# named: equal_shares
def uniform_over_allowed(scores, mask):
    mask = mask.expand(scores.shape).to(scores.dtype)
    return mask / mask.sum(dim=-1, keepdim=True)


# wrong: 1e9 taken off
# named: small_number_added
def billion_taken_off(scores, mask):
    return torch.softmax(scores + (1.0 - mask.to(scores.dtype)) * -1e9, -1)


# wrong: -9e15
# named: filled_with_1e4
def nine_e15_by_where(scores, mask):
    return torch.softmax(torch.where(mask, scores, -9e15), dim=-1)


# wrong: -1e20
# named: filled_with_1e4
def minus_1e20(scores, mask):
    return torch.softmax(torch.where(mask, scores, -1e20), dim=-1)


# wrong: -1e6 by where
# named: filled_with_1e4
def minus_a_million(scores, mask):
    return torch.where(mask, scores, -1e6).softmax(dim=-1)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape, of_mask in (((6, 2), (6, 2)), ((3, 2, 5), (3, 1, 5)), ((2, 4, 3, 3), (3, 3))):
        mask = random_masks(generator, *of_mask)
        yield (5 * randn(*shape), mask)
