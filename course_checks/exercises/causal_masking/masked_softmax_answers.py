"""Answers to masked_softmax (lesson 05, exercise 3), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F

from course_lib.attention.masks import masked_softmax as reference


# wrong: fills blocked scores with -1e4, which is not low enough for scores of any size
# named: filled_with_1e4
def big_negative(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, -1e4), dim=-1)


# wrong: drops the blocked scores, so all rows run together
# named: blocked_dropped
def blocked_keys_dropped(scores, mask):
    return torch.softmax(scores[mask.expand(scores.shape)], dim=-1)


# wrong: cuts the gradient
# named: detached
def detached(scores, mask):
    return torch.softmax(scores.detach().masked_fill(~mask, -math.inf), dim=-1)


# wrong: exponentials without taking off the largest score
# named: without_maximum
def exponentials_overflow(scores, mask):
    e = torch.exp(scores) * mask
    return e / e.sum(dim=-1, keepdim=True)


# wrong: blocked scores become 0, whose exponential is 1
# named: filled_with_zero
def filled_with_zero(scores, mask):
    return F.softmax(torch.where(mask, scores, torch.zeros_like(scores)), dim=-1)


# wrong: fills in the smallest number of the dtype, which is not below every allowed score
# named: filled_with_lowest
def finfo_min(scores, mask):
    return scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1)


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


# wrong: writes minus infinity into the scores themselves
# named: changes_input
def in_place(scores, mask):
    scores.masked_fill_(~mask, -math.inf)
    return torch.softmax(scores, dim=-1)


# wrong: indexes with the mask, which must have the shape of the scores for that
def index_assignment(scores, mask):
    s = scores.clone()
    s[~mask] = -math.inf
    return torch.softmax(s, dim=-1)


# wrong: multiplies minus infinity by 0 for the allowed keys, which is NaN
# named: zero_times_infinity
def inf_times_zero(scores, mask):
    bias = (1.0 - mask.to(scores.dtype)) * float("-inf")
    return torch.softmax(scores + bias, dim=-1)


# wrong: 0 times infinity, which is NaN
# named: zero_times_infinity
def infinity_times_zero(scores, mask):
    return torch.softmax(scores + (~mask) * -math.inf, dim=-1)


# wrong: masked_fill_ changes the caller's scores
# named: changes_input
def inplace(scores, mask):
    return scores.masked_fill_(mask.logical_not(), -math.inf).softmax(dim=-1)


# wrong: blocks what is allowed
# named: inverted
def inverted(scores, mask):
    return torch.softmax(scores.masked_fill(mask, -math.inf), dim=-1)


# wrong: takes off the largest score of all keys, blocked ones too
# named: renormalised_after
def largest_of_all_keys(scores, mask):
    e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values) * mask
    return e / e.sum(dim=-1, keepdim=True)


# wrong: adds log(mask + 1e-9), which leaves a little
# named: small_number_added
def log_of_a_small_number(scores, mask):
    return torch.softmax(scores + torch.log(mask + 1e-9).to(scores.dtype), dim=-1)


# right
def log_of_mask(scores, mask):
    return (scores + mask.to(scores.dtype).log()).softmax(-1)


# wrong: takes off the logarithm of the sum, which rounds the digits of large scores away
# named: by_logsumexp
def logsumexp(scores, mask):
    blocked = scores.masked_fill(~mask, -math.inf)
    return torch.exp(blocked - torch.logsumexp(blocked, dim=-1, keepdim=True))


# wrong: adds the mask as 1 and 0 to the scores
# named: mask_added
def mask_added(scores, mask):
    return torch.softmax(scores + mask.to(scores.dtype), dim=-1)


# wrong: multiplies by the mask after the softmax
# named: masked_after
def mask_after_the_softmax(scores, mask):
    return torch.softmax(scores, dim=-1) * mask


# wrong: turns the mask round
# named: mask_transposed
def mask_turned(scores, mask):
    return torch.softmax(scores.masked_fill(~mask.transpose(-2, -1), -math.inf), dim=-1)


# wrong: subtracts 100 from blocked scores
# named: small_number_added
def minus_100(scores, mask):
    return torch.softmax(scores - 100.0 * (~mask), dim=-1)


# wrong: fills with -1e9, which float16 cannot hold
# named: filled_with_1e4
def minus_1e9(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)


# wrong: computes without gradients
# named: detached
@torch.no_grad()
def no_grad(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)


# wrong: softmax over the queries
# named: over_queries
def over_the_queries(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-2)


# wrong: fills -inf where the mask is True, so it shows what should be hidden
# named: inverted
def polarity(scores, mask):
    return torch.softmax(scores.masked_fill(mask, -math.inf), dim=-1).nan_to_num(0.0)


# wrong: masks after the softmax and renormalises: a large blocked score leaves 0/0
# named: renormalised_after
def renorm(scores, mask):
    w = scores.softmax(-1) * mask
    return w / w.sum(-1, keepdim=True)


# wrong: masks after the softmax and divides by the row sums
# named: renormalised_after
def renormalised(scores, mask):
    w = torch.softmax(scores, dim=-1) * mask
    return w / w.sum(dim=-1, keepdim=True)


# wrong: computes in float32 and stays there
# named: dtype
def returns_float32(scores, mask):
    return torch.softmax(scores.float().masked_fill(~mask, -math.inf), dim=-1)


# right
def right_additive(scores, mask):
    bias = torch.zeros(mask.shape, dtype=scores.dtype)
    bias[~mask] = float("-inf")
    return torch.softmax(scores + bias, dim=-1)


# right
def right_by_hand_in_float64(scores, mask):
    s = scores.double().masked_fill(~mask, -math.inf)
    e = (s - s.amax(dim=-1, keepdim=True)).exp()
    return (e / e.sum(dim=-1, keepdim=True)).to(scores.dtype)


# right
def right_log_of_mask(scores, mask):
    return F.softmax(scores + mask.to(scores.dtype).log(), dim=-1)


# right
def right_row_by_row(scores, mask):
    mask = mask.expand(scores.shape)
    n = scores.shape[-1]
    rows = []
    for row, allowed in zip(scores.reshape(-1, n), mask.reshape(-1, n)):
        weights = torch.zeros_like(row)
        weights[allowed] = torch.softmax(row[allowed], dim=0)
        rows.append(weights)
    return torch.stack(rows).reshape(scores.shape)


# right
def right_torchs_attention(scores, mask):
    """With the identity for keys and values, the output of attention is its weights."""
    n = scores.shape[-1]
    eye = torch.eye(n, dtype=scores.dtype).expand(*scores.shape[:-2], n, n)
    return F.scaled_dot_product_attention(scores, eye, eye, attn_mask=mask, scale=1.0)


# right
def right_where(scores, mask):
    return torch.where(mask, scores, torch.full_like(scores, -math.inf)).softmax(-1)


# wrong: adds a small number to the sum below the line
# named: renormalised_with_eps
def small_number_in_the_sum(scores, mask):
    e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values) * mask
    return e / (e.sum(dim=-1, keepdim=True) + 1e-6)


# wrong: a softmax of the softmax
# named: softmax_twice
def softmax_twice(scores, mask):
    weights = torch.softmax(scores, dim=-1)
    return torch.softmax(weights.masked_fill(~mask, -math.inf), dim=-1)


# wrong: multiplies the scores by the mask, so blocked scores are 0 and still share
# named: filled_with_zero
def times_mask(scores, mask):
    return torch.softmax(scores * mask, dim=-1)


# wrong: takes True for blocked
# named: inverted
def torch_sense(scores, mask):
    return torch.softmax(scores.masked_fill(mask, float("-inf")), dim=-1)


# wrong: a causal triangle, whatever the mask says
# named: own_triangle
def triangle_of_its_own(scores, mask):
    mask = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)


# wrong: equal shares among the allowed keys
# named: equal_shares
def uniform_over_allowed(scores, mask):
    mask = mask.expand(scores.shape).to(scores.dtype)
    return mask / mask.sum(dim=-1, keepdim=True)


# right
def where_add(scores, mask):
    bias = torch.zeros_like(mask, dtype=scores.dtype).masked_fill(~mask, float("-inf"))
    return torch.nn.functional.softmax(scores + bias, -1)


# wrong: fills blocked scores with 0
# named: filled_with_zero
def zero_scores(scores, mask):
    return torch.softmax(scores.masked_fill(~mask, 0.0), dim=-1)


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
