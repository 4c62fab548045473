"""Answers to entropy_share (lesson 10, exercise 1), right and wrong, as students write them."""

import functools
import math

import numpy as np
import torch

import course_checks as checks
from course_lib import causal_mask, padding_mask
from course_lib.attention.masks import masked_softmax


# right
def loop(weights, mask):
    mask, shares = mask.broadcast_to(weights.shape), []
    for head in range(weights.shape[1]):
        own = []
        for b, i in np.ndindex(len(weights), weights.shape[2]):
            kept = weights[b, head, i][mask[b, head, i]]
            if len(kept) > 1:
                own.append(torch.special.entr(kept).sum().item() / math.log(len(kept)))
        shares.append(sum(own) / len(own))
    return torch.tensor(shares, dtype=weights.dtype)


# right
def by_bits(weights, mask):
    counts = (mask + torch.zeros_like(weights)).sum(dim=-1)
    bits = -(weights * (weights + 1e-9).log2()).sum(dim=-1)
    shares = torch.where(counts > 1, bits / counts.log2(), torch.nan)
    return shares.transpose(0, 1).flatten(1).nanmean(dim=1)


# wrong: the first sentence only
# named: first_sentence_only
def first_sentence(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    return share[0].sum(dim=-1) / choice[0].sum(dim=-1)


# wrong: one minus the share
# named: one_minus
def one_minus(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)
    entropy = -torch.xlogy(weights, weights).sum(dim=-1)
    choice = allowed > 1
    share = entropy / allowed.clamp(min=2).log()
    share = share.masked_fill(~choice, 0.0)
    return 1 - share.sum(dim=(0, 2)) / choice.sum(dim=(0, 2))


# wrong: leaves out the first query
# named: first_query_dropped
def without_first_row(weights, mask):
    return checks.entropy_share.exercise.reference(
        weights[:, :, 1:], mask.expand(weights.shape)[:, :, 1:]
    )


# wrong: a query that may see one token counts
# points: 5
# says: one token, or none
def empty_rows_count(weights, mask):
    entropy = -(weights * weights.log()).nan_to_num().sum(dim=-1)
    return (entropy / mask.expand(weights.shape).sum(dim=-1).log()).nanmean(dim=(0, 2))


# wrong: divides by one maximum for all queries
# named: without_mask
# points: 3
def share_of_maximum(weights, mask):
    """One maximum for all queries, and all queries count."""
    entropy = torch.special.entr(weights).sum(dim=-1)
    return entropy.mean(dim=(0, 2)) / math.log(weights.shape[-1])


# wrong: counts the keys with a weight above 0, not those that the mask allows (differs where an allowed key has weight exactly 0)
# named: nonzero_weights_counted
# points: 4
def nonzero(weights, mask):
    allowed = (weights > 0).sum(-1)
    h = -torch.xlogy(weights, weights).sum(-1) / allowed.clamp(min=2).log()
    ok = allowed >= 2
    return h.masked_fill(~ok, 0.0).sum((0, 2)) / ok.sum((0, 2)).clamp(min=1)


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for shape in ((2, 2, 4, 4), (1, 3, 7, 7)):
        yield randn(*shape).softmax(-1), torch.ones(shape[2:], dtype=torch.bool)
        yield masked_softmax(randn(*shape), causal_mask(shape[-1])), causal_mask(shape[-1])
    mask = padding_mask([2, 6, 1], 6)
    yield masked_softmax(randn(3, 1, 3, 6), mask), mask
