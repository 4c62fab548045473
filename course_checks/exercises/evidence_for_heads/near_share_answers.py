"""Answers to near_share (lesson 11, exercise 1), right and wrong, as students write them."""

import functools

import torch

from course_lib import causal_mask
from course_lib.attention.masks import masked_softmax


# right
def by_band(weights, width, mask):
    band = torch.ones(weights.shape[-2:]).tril(width).triu(-width).bool()
    allowed = mask.expand_as(weights)
    shares = ((allowed & band).sum(dim=-1) / allowed.sum(dim=-1)).to(weights.dtype)
    return weights.masked_fill(~band, 0).sum(dim=(0, 2, 3)) / shares[:, 0].numel(), shares.mean(
        (0, 2)
    )


# right
def loop(weights, width, mask):
    """The keys from i - width to i + width; equal weights as a softmax of zeros."""
    even = torch.zeros_like(weights).masked_fill(~mask, -torch.inf).softmax(dim=-1)
    answers = []
    for part in (weights, even):
        rows = [
            part[:, :, i, max(i - width, 0) : i + width + 1].sum(dim=-1).mean(dim=0)
            for i in range(part.shape[2])
        ]
        answers.append(torch.stack(rows).mean(dim=0))
    return answers


# wrong: the baseline spreads over all keys, allowed or not
# named: baseline_without_mask
def baseline_all_keys_2(weights, width, mask):
    i = torch.arange(weights.shape[-1])
    near = ((i[:, None] - i).abs() <= width).to(weights.dtype)
    found = (weights * near).sum(-1).mean(dim=(0, 2))
    return found, near.mean().expand(weights.shape[1])


# wrong: (2 width + 1) / length
# named: baseline_without_edges
# points: 2
def baseline_formula(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    mask.expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    return found, torch.full_like(found, (2 * width + 1) / n)


# wrong: multiplies the weights in place
# named: changes_input
# points: 5
def changes_weights(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    weights *= near
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return tuple((w * near).sum(-1).mean(dim=(0, 2)) for w in (weights, even))


# wrong: the mask of the first sentence and head for all
def first_mask(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = mask.expand(weights.shape)[:1, :1].expand(weights.shape).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return found, (even * near).sum(dim=-1).mean(dim=(0, 2))


# wrong: < width instead of <= width
# named: width_off_by_one
def less_than(weights, width, mask):
    p = torch.arange(weights.shape[-1])
    near = (p[:, None] - p).abs() < width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    equal = allowed / allowed.sum(-1, keepdim=True)
    return tuple((w * near).sum(-1).mean((0, 2)) for w in (weights, equal))


# wrong: takes the allowed keys from the weights
def nonzero_weights(weights, width, mask):
    n = weights.shape[-1]
    places = torch.arange(n)
    near = (places[:, None] - places).abs() <= width
    allowed = (weights > 0).to(weights.dtype)
    found = (weights * near).sum(dim=-1).mean(dim=(0, 2))
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    return found, (even * near).sum(dim=-1).mean(dim=(0, 2))


# wrong: adds up over the queries instead of averaging
# named: sums
def sums(weights, width, mask):
    i = torch.arange(weights.shape[-1])
    near = (i[:, None] - i).abs() <= width
    equal = mask.expand(weights.shape).float()
    equal = equal / equal.sum(-1, keepdim=True)
    return tuple((w * near).sum(dim=(0, 2, 3)) for w in (weights, equal))


# wrong: baseline counts the mask of sentence 0 only
# named: baseline_of_sentence_0
def baseline_of_sentence_0_too(weights, width, mask):
    p = torch.arange(weights.shape[-1])
    near = (p[:, None] - p).abs() <= width
    a = mask.expand(weights.shape)[0].to(weights.dtype)
    eq = a / a.sum(-1, keepdim=True)
    return (weights * near).sum(-1).mean((0, 2)), (eq * near).sum(-1).mean(1)


# right
def as_the_hints_say(weights, width, mask):
    positions = torch.arange(weights.shape[-1])
    near = (positions[:, None] - positions).abs() <= width
    allowed = mask.to(weights.dtype).expand(weights.shape)
    even = allowed / allowed.sum(dim=-1, keepdim=True)
    found, baseline = ((w * near).sum(dim=-1).mean(dim=(0, 2)) for w in (weights, even))
    return found, baseline


# wrong: a mean over the keys
# named: mean_over_keys
def mean_over_all_keys(weights, width, mask):
    p = torch.arange(weights.shape[-1])
    near = (p[:, None] - p[None, :]).abs() <= width
    allowed = mask.expand(weights.shape).to(weights.dtype)
    even = allowed / allowed.sum(-1, keepdim=True)
    return (weights * near).mean((0, 2, 3)), (even * near).mean((0, 2, 3))


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape, width in (((2, 2, 3, 3), 1), ((1, 3, 6, 6), 3), ((2, 1, 5, 5), 2)):
        mask = causal_mask(shape[-1])
        yield randn(*shape).softmax(-1), width, torch.ones_like(mask)
        yield masked_softmax(randn(*shape), mask), width, mask
