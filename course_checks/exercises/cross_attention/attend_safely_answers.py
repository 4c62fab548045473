"""Answers to attend_safely (lesson 06, exercise 5), right and wrong, as students write them."""

import math

import torch
import torch.nn.functional as F

from course_lib import scaled_dot_product_attention


# right
def a_key_of_nothing(query, key, value, mask):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    empty = (~mask.any(-1, keepdim=True)).expand(*scores.shape[:-1], 1)
    allowed = torch.cat([mask.expand_as(scores), empty], dim=-1)
    padded = torch.cat(
        [
            scores,
            torch.zeros_like(scores[..., :1])
            if scores.shape[-1]
            else scores.new_zeros(*scores.shape[:-1], 1),
        ],
        dim=-1,
    )
    weights = padded.masked_fill(~allowed, -math.inf).softmax(-1)[..., :-1]
    return weights @ value, weights


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


# wrong: mask.any(dim=0), which asks over the batch instead of over the keys
# named: any_over_batch
def any_over_batch(query, key, value, mask):
    has_any = mask.any(dim=0, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights


# wrong: -1e9 instead: a query that may read nothing gets an even average
# named: lowest_number
def big_negative(query, key, value, mask):
    s = query @ key.mT / math.sqrt(query.shape[-1])
    w = s.masked_fill(~mask, -1e9).softmax(dim=-1)
    return w @ value, w


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
def detached(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1).detach().nan_to_num(0.0)
    return weights @ value, weights


# wrong: divides by head_dim instead of its root
# named: divided_by_head_dim
def divided_by_head_dim(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / query.shape[-1]
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights


# wrong: values are detached when one sentence of the batch is empty
# named: gradient_cut
def empty_sentence_detached(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    if not has_any.all():
        value = value.detach()
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
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


# right
def exp_and_sum(query, key, value, mask):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if key.shape[-2] == 0:
        return scores @ value, scores
    has_any = mask.any(-1, keepdim=True)
    hidden = scores.masked_fill(~mask, -1e30)
    e = torch.exp(hidden - hidden.max(-1, keepdim=True).values.detach()).masked_fill(~mask, 0)
    weights = e / torch.where(has_any, e.sum(-1, keepdim=True), 1.0)
    return weights @ value, weights


# wrong: blocked scores are set to 0, which is not nothing
# named: times_mask
def fill_zero(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, 0.0).softmax(dim=-1)
    weights = weights * mask.any(dim=-1, keepdim=True)
    return weights @ value, weights


# wrong: the smallest float instead of minus infinity, an empty row averages the padding
# named: lowest_number
def finfo_min(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim=-1)
    return weights @ value, weights


# right
def finite_then_clear(query, key, value, mask):
    scores = (query / math.sqrt(query.shape[-1])) @ key.mT
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, dim=-1)
    weights = weights.masked_fill(~mask, 0.0)
    return weights.matmul(value), weights


# wrong: an empty row is allowed to read key 0, so that the softmax works
# named: first_key_allowed
def first_key_opened(query, key, value, mask):
    if mask.shape[-1]:
        mask = mask.clone()
        mask[..., 0] |= ~mask.any(dim=-1)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights @ value, weights


# wrong: whether there is something to read is looked up in the first sentence only
# named: first_decides
def first_sentence_decides(query, key, value, mask):
    has_any = mask[:1].any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights


# wrong: without keys it returns None for the weights
def key_len_zero_one_column(query, key, value, mask):
    if key.shape[2] == 0:
        return query.new_zeros(*query.shape[:3], value.shape[-1]), None
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights


# wrong: scales by the width of the values
# named: scaled_by_value_width
def key_width(query, key, value, mask):
    some = mask.any(dim=-1, keepdim=True)
    s = query @ key.mT / math.sqrt(value.shape[-1])
    w = s.masked_fill(~mask & some, -math.inf).softmax(-1).masked_fill(~some, 0.0)
    return w @ value, w


# wrong: calls the course's own function
# named: forbidden
def library(query, key, value, mask):
    return scaled_dot_product_attention(query, key, value, mask=mask)


# wrong: the softmax runs over all keys and the blocked weights are set to 0 without renormalising
# named: blocked_too_late
def mask_after_softmax(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.softmax(dim=-1) * mask
    return weights @ value, weights


# wrong: takes True to mean blocked, as nn.MultiheadAttention does
# named: mask_inverted
def mask_inverted(query, key, value, mask):
    has_any = (~mask).any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(mask & has_any, -math.inf).softmax(dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights


# wrong: subtracts the maximum of all scores, blocked ones too, and so loses what is left
# named: highest_of_all
def max_before_mask(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if scores.shape[-1]:
        scores = scores - scores.amax(dim=-1, keepdim=True)
    e = torch.exp(scores) * mask
    weights = e / e.sum(dim=-1, keepdim=True).clamp(min=1e-30)
    return weights @ value, weights


# wrong: an empty row gets the mean of all values as its answer
# named: lowest_number
def mean_of_values(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = (query @ key.mT / math.sqrt(query.shape[-1])) * has_any
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    return weights @ value, weights


# wrong: -100 is too small a number to hide a key from large scores
# named: reachable_number
def minus_100(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -100.0).softmax(dim=-1) * mask.any(-1, keepdim=True)
    return weights @ value, weights


# wrong: blocks with -1e9, so that an empty sentence looks at all its padding
# named: lowest_number
def minus_1e9_2(query, key, value, mask):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)
    return weights @ value, weights


# wrong: softmax of all -inf gives NaN which is replaced afterwards by adding the mask, so a gradient is NaN
# named: replaced_too_late
def nan_after(query, key, value, mask):
    bias = torch.zeros(mask.shape, dtype=query.dtype).masked_fill(~mask, -math.inf)
    s = query @ key.mT / math.sqrt(query.shape[-1]) + bias
    w = torch.softmax(s, -1).nan_to_num(0.0)
    return w @ value, w


# wrong: adds minus infinity and replaces NaN afterwards, so gradients are NaN
# named: replaced_too_late
def nan_after_2(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    bias = torch.zeros(mask.shape, dtype=scores.dtype).masked_fill(~mask, -math.inf)
    weights = torch.softmax(scores + bias, dim=-1).nan_to_num(0.0)
    return weights @ value, weights


# right
def nan_to_num(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1).nan_to_num(0.0)
    return weights @ value, weights


# wrong: the whole function runs under no_grad, so no gradient is NaN because there is none
# named: gradient_cut
def no_grad(query, key, value, mask):
    with torch.no_grad():
        scores = query @ key.mT / math.sqrt(query.shape[-1])
        weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1).nan_to_num(0.0)
        return weights @ value, weights


# wrong: breaks when there is no key at all, because a maximum of nothing is asked for
def no_keys_raises(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    has_any = mask.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(~mask & has_any, -math.inf)
    e = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    weights = (e / e.sum(dim=-1, keepdim=True)).masked_fill(~has_any, 0.0)
    return weights @ value, weights


# wrong: the scores are not divided by sqrt(head_dim)
# named: no_scale
def no_scale(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = (query @ key.mT).masked_fill(~mask & has_any, -math.inf)
    weights = scores.softmax(dim=-1).masked_fill(~has_any, 0.0)
    return weights @ value, weights


# right
def only_the_real_sentences(query, key, value, mask):
    batch, heads, query_len, head_dim = query.shape
    weights = query.new_zeros(batch, heads, query_len, key.shape[2])
    full = mask.flatten(1).any(dim=1)
    scores = query[full] @ key[full].mT / math.sqrt(head_dim)
    some = scores.masked_fill(~mask[full], -math.inf).softmax(dim=-1)
    weights = weights.index_put((full,), some)
    return weights @ value, weights


# right
def open_then_clear(query, key, value, mask):
    empty = ~mask.any(dim=-1, keepdim=True)
    scores = torch.einsum("bhqd,bhkd->bhqk", query, key) * query.shape[-1] ** -0.5
    weights = scores.masked_fill(~(mask | empty), float("-inf")).softmax(dim=-1)
    weights = weights.masked_fill(empty, 0)
    return torch.einsum("bhqk,bhkd->bhqd", weights, value), weights


# right
def opens_and_multiplies(query, key, value, mask):
    something = mask.sum(dim=-1, keepdim=True) > 0
    opened = mask | ~something
    logits = torch.einsum("bhqd,bhkd->bhqk", query, key) * query.shape[-1] ** -0.5
    p = torch.where(opened, logits, torch.full_like(logits, -torch.inf)).softmax(-1) * something
    return torch.einsum("bhqk,bhkw->bhqw", p, value), p


# wrong: the caller's mask is opened in place for empty sentences
# named: changes_input
def opens_the_mask_in_place(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    mask |= ~has_any
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1).masked_fill(~has_any, 0.0)
    return weights @ value, weights


# wrong: the weights of an empty row are set to 0 after the output was computed
# named: weights_cleared_late
def output_not_zeroed(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    output = weights @ value
    return output, weights.masked_fill(~has_any, 0.0)


# wrong: sets the output of an empty sentence to 0 but leaves weights on its padding
# named: weights_left
def output_only_2(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores.masked_fill(~mask & has_any, -math.inf), dim=-1)
    return (weights @ value).masked_fill(~has_any, 0.0), weights


# wrong: nothing is done about empty rows, they are NaN
# named: not_a_number
def plain(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights @ value, weights


# wrong: divides by the root of the width of the values
# named: scaled_by_value_width
def scale_by_value_width(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(value.shape[-1])
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights


# wrong: divides by the root of the values' width
# named: scaled_by_value_width
def scale_by_width(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(value.shape[-1])
    weights = torch.softmax(scores.masked_fill(~mask & has_any, -math.inf), dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights


# wrong: torch's fused function with the mask, and weights computed by the plain softmax
def sdpa_alone(query, key, value, mask):
    output = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return output, weights


# right
def sentence_by_sentence(query, key, value, mask):
    outputs, maps = [], []
    for b in range(query.shape[0]):
        real = mask[b, 0, 0]
        scores = query[b] @ key[b].mT / math.sqrt(query.shape[-1])
        weights = scores * 0
        if real.any():
            weights = scores.masked_fill(~real, -math.inf).softmax(-1)
        maps.append(weights)
        outputs.append(weights @ value[b])
    return torch.stack(outputs), torch.stack(maps)


# wrong: softmax over the queries (dim=-2)
# named: softmax_over_queries
def softmax_over_queries(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    scores = scores.masked_fill(~mask & has_any, -math.inf)
    weights = scores.softmax(dim=-2).masked_fill(~mask, 0.0)
    return weights @ value, weights


# wrong: 1e-9 in the denominator, over exp without subtracting the maximum
# named: tiny_denominator
def tiny_denominator(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    e = torch.exp(scores) * mask
    weights = e / (e.sum(dim=-1, keepdim=True) + 1e-9)
    return weights @ value, weights


# right
def two_paths(query, key, value, mask):
    if key.shape[-2] == 0:
        w = query @ key.mT
        return w @ value, w
    allowed = mask.to(query.dtype)
    s = torch.einsum("bhqd,bhkd->bhqk", query, key) * query.size(-1) ** -0.5
    low = torch.where(mask, s, torch.full_like(s, torch.finfo(s.dtype).min))
    e = (low - low.amax(-1, keepdim=True).detach()).exp() * allowed
    w = e / e.sum(-1, keepdim=True).clamp(min=1e-12)
    return w @ value, w


# wrong: the blocked values are set to 0 instead of the weights
# named: values_blocked
def value_zeroed(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.softmax(dim=-1)
    return weights @ value.masked_fill(~mask.mT, 0.0), weights


# wrong: the output of an empty row is 0, its weights are not
# named: weights_left
def weights_not_zeroed(query, key, value, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    return (weights @ value).masked_fill(~has_any, 0.0), weights


# right
def where_after(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    weights = torch.where(torch.isnan(weights), torch.zeros_like(weights), weights)
    return weights @ value, weights


# wrong: asks whether anything may be read in the whole batch, not sentence by sentence
# named: only_all_empty
def whole_batch_any(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if mask.any():
        weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    else:
        weights = torch.zeros_like(scores)
    return weights @ value, weights


# wrong: multiplies by 0 where nothing may be read, but 0 times NaN is NaN
# named: not_a_number
def zero_times_nan(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    weights = weights * mask.any(dim=-1, keepdim=True)
    return weights @ value, weights


# wrong: without keys it returns zeros in the shape of the query, though values have another width
# named: zeros_like_query
def zeros_like_query(query, key, value, mask):
    if key.shape[2] == 0:
        return torch.zeros_like(query), query.new_zeros(*query.shape[:3], 0)
    has_any = mask.any(dim=-1, keepdim=True)
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~mask & has_any, -math.inf).softmax(dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights


# wrong: cuts the output to the width of the queries
def as_wide_as_the_query(query, key, value, mask):
    some = mask.any(-1, keepdim=True)
    s = query @ key.mT / math.sqrt(query.shape[-1])
    w = torch.softmax(s.masked_fill(~mask & some, -math.inf), -1).masked_fill(~some, 0)
    return (w @ value)[..., : query.shape[-1]], w


# wrong: fills with -10000
# named: reachable_number
def filled_with_1e4(query, key, value, mask):
    some = mask.any(-1, keepdim=True)
    s = query @ key.mT / math.sqrt(query.shape[-1])
    w = torch.softmax(s.masked_fill(~mask, -1e4), -1) * some
    return w @ value, w


# wrong: fills with -1e9 and sets the output alone to 0
# named: weights_left
def output_cleared(query, key, value, mask):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)
    output = (weights @ value) * mask.any(dim=-1, keepdim=True)
    return output, weights


# wrong: the softmax times the mask, divided by its sum
# named: highest_of_all
def softmax_times_mask_shared_anew(query, key, value, mask):
    w = torch.softmax(query @ key.mT / math.sqrt(query.shape[-1]), -1) * mask
    w = w / w.sum(-1, keepdim=True).clamp(min=1e-9)
    return w @ value, w
