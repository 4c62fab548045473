"""Lesson 10, exercise 1: how evenly a head looks, as a share of what its mask allows."""

import torch
from torch import xlogy

from course_checks.exercise import Case, Exercise, Property
from course_checks.score_cases import causal, draw_weights
from course_lib.attention.masks import padding_mask
from course_lib.study.heads import entropy_score


def entropy_share(weights, mask):
    allowed = mask.expand(weights.shape).sum(dim=-1)  # (batch, num_heads, query_len)
    has_choice = allowed > 1
    entropy = -xlogy(weights, weights).sum(dim=-1)
    share = (entropy / allowed.clamp(min=2).log()).masked_fill(~has_choice, 0.0)
    return share.sum(dim=(0, 2)) / has_choice.sum(dim=(0, 2))


MISTAKES = """
without_mask: lambda weights, mask: entropy_share(weights, torch.ones_like(weights) > 0)
    You do not use the mask. A query with few keys has a smaller maximum, the log of their number,
    and one with a single key does not count.
log_of_all_keys: allowed.clamp(min=2).log() -> math.log(weights.shape[-1])
    You divide by the log of all keys. Under a mask a query has fewer: take the allowed ones.
single_key_counts_as_0: return share.sum(dim=(0, 2)) / has_choice.sum(dim=(0, 2)) -> \
        return share.mean(dim=(0, 2))
or: ~has_choice, 0.0 -> ~has_choice, 1.0 && \
        share.sum(dim=(0, 2)) / has_choice.sum(dim=(0, 2)) -> share.mean(dim=(0, 2))
    You count queries with one key. They had no choice: leave them out, of the sum and of the number
    that you divide by.
zero_times_log_zero: -xlogy(weights, weights) -> -(weights * weights.log())
    Where a weight is 0, your entropy is NaN: 0 times log(0) is no number. Its limit is 0, as in
    xlogy.
zero_by_zero: (entropy / allowed.clamp(min=2).log()).masked_fill(~has_choice, 0.0) -> \
        entropy / allowed.log() && share.sum(dim=(0, 2)) / has_choice.sum(dim=(0, 2)) -> \
        share.mean(dim=(0, 2))
    A query with one key has a share of 0/0. Leave these queries out before you take the mean.
nonzero_weights_counted: mask.expand(weights.shape) -> (weights > 0)
or: mask.expand(weights.shape) -> (weights > 0) && \
        return share.sum(dim=(0, 2)) / has_choice.sum(dim=(0, 2)) -> \
        return (share.sum(dim=(0, 2)) / has_choice.sum(dim=(0, 2))).nan_to_num(0.0)
    You count the keys that have a weight above 0. A head that leaves allowed keys at 0 has chosen:
    what was allowed, the mask says.
over_queries: xlogy(weights, weights).sum(dim=-1) -> xlogy(weights, weights).sum(dim=-2)
    You add up over the queries. A query shares out its weight among the keys: the last dimension.
mean_of_weights_first: lambda weights, mask: \
                entropy_share(weights.mean(dim=0, keepdim=True).expand_as(weights), mask)
    You take the entropy of the sentences' mean weights. Heads that look sharply, at other places in
    each, then seem to look everywhere: entropy first.
one_for_each_sentence: dim=(0, 2) => dim=(1, 2)
    You take the mean over the heads. Each head should keep its own number.
sentence_first: share.sum(dim=(0, 2)) / has_choice.sum(dim=(0, 2)) -> \
        (share.sum(dim=-1) / has_choice.sum(dim=-1)).mean(dim=0) || \
        (share.sum(dim=-1) / has_choice.sum(dim=-1)).nanmean(dim=0) || \
        (share.sum(dim=-1) / has_choice.sum(dim=-1).clamp(min=1)).mean(dim=0)
    You take the mean of each sentence first. A short one then counts as much as a long one: all
    queries with a choice count alike.
first_query_dropped: allowed = -> \
                weights, mask = weights[:, :, 1:], mask.expand(weights.shape)[:, :, 1:]; allowed =
    You always leave out the first query. Another mask may give it several keys: ask the mask.
mask_not_expanded: has_choice.sum(dim=(0, 2)) -> (mask.sum(dim=-1) > 1).sum()
or: mask.expand(weights.shape).sum(dim=-1) -> \
        mask.sum(dim=-1).expand(weights.shape[:-1])
    You count in the mask as it comes. Its dimensions of 1 stand for several:
    mask.expand(weights.shape) before you count.
negative: entropy = - -> entropy =
    Your share is negative: the entropy is minus the sum of w log(w).
first_sentence_only: lambda weights, mask: \
                entropy_share(weights[:1], mask.expand(weights.shape)[:1])
    You look at the first sentence only. Take the mean over the queries of all of them.
one_minus: lambda weights, mask: 1 - entropy_share(weights, mask)
    You return 1 minus the share. Equal weights have the largest entropy, so they get 1.
not_divided: (entropy / allowed.clamp(min=2).log()) -> entropy
or: lambda weights, mask: -xlogy(weights, weights).sum(dim=-1).mean(dim=(0, 2))
    You return the entropy itself. It lies between 0 and 1 when divided by the log of the keys.
ratio_of_means: share.sum(dim=(0, 2)) / has_choice.sum(dim=(0, 2)) -> \
                entropy.masked_fill(~has_choice, 0.0).sum(dim=(0, 2)) / \
        allowed.clamp(min=1).log().sum(dim=(0, 2))
    You divide the mean entropy by the mean of the maxima. Divide for each query first.
added_before_the_log: -xlogy(weights, weights) -> -(weights * (weights + 0.001).log())
or: -xlogy(weights, weights) -> -(weights * (weights + 0.01).log())
    You add a number to the weights that changes the entropy. xlogy needs none.
"""


def _case(generator, shape, mask):
    return Case((draw_weights(generator, *shape, mask=mask), mask))


def _everything_allowed(generator):
    cases = []
    for shape in ((1, 2, 3, 3), (2, 3, 4, 5)):
        mask = torch.ones(shape[2:], dtype=torch.bool, device="cpu")
        cases.append(_case(generator, shape, mask))
    hard, _ = cases[1].args
    hard[:, 0] = torch.eye(5, device="cpu")[1:]  # one key alone: an entropy of 0
    hard[:, 1] = 1 / 5
    mixed = draw_weights(generator, 2, 3, 4, 5, mask=mask)
    mixed[:, :, ::2] = torch.tensor([0.5, 0.0, 0.5, 0.0, 0.0], device="cpu")  # two of five keys
    return [*cases, Case((mixed, mask))]


def _padded(generator):
    padding = padding_mask(torch.tensor([3, 1, 0, 5], device="cpu"), 5)  # (4, 1, 1, 5)
    return [
        _case(generator, (4, 3, 2, 5), padding),
        _case(generator, (4, 2, 5, 5), padding.flip(-1) & causal(5)),
        _case(generator, (4, 2, 5, 3), padding.mT),  # one column: whole queries are blocked
    ]


EXERCISE = Exercise(
    reference=entropy_share,
    returns={"share": "(num_heads,)"},
    library=(entropy_score,),
    properties=(
        Property(
            "where every key is allowed, one key alone gives 0 and equal weights give 1",
            2,
            _everything_allowed,
        ),
        Property(
            "under a causal mask the keys that a query may attend to count, and a query with "
            "only one of them does not",
            2,
            lambda generator: [
                _case(generator, (b, h, n, n), causal(n)) for b, h, n in ((1, 2, 3), (3, 2, 6))
            ],
        ),
        Property(
            "the same holds for padding, where a sentence may have one token, or none, whatever "
            "shape the mask has",
            1,
            _padded,
        ),
    ),
    mistakes=MISTAKES,
)
