"""Lesson 06, exercise 5: a memory that is empty, for all of the batch or for some of it."""

import math

import torch
from torch import float64, softmax, tensor, zeros_like

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_checks.judge.gradient import detached
from course_lib.attention.masks import masked_softmax
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention


def attend_safely(query, key, value, mask):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    has_any = mask.any(dim=-1, keepdim=True)  # (batch, 1, 1, 1)
    weights = softmax(scores.masked_fill(~mask & has_any, -torch.inf), dim=-1)
    weights = weights.masked_fill(~has_any, 0.0)
    return weights @ value, weights


MISTAKES = """
not_a_number: & has_any -> && weights = weights.masked_fill(~has_any, 0.0) ->
    A sentence of nothing but padding gives NaN: all its scores are minus infinity, and their
    softmax is 0/0. It needs a treatment of its own.
replaced_too_late: _with_weights(_replaced_too_late)
    {NAN_GRADIENT}
tiny_denominator: _with_weights(_tiny_denominator)
    You add a small number to the sum so that it is never 0. Where all real scores are low their exp
    is smaller still, and the weights go to 0: subtract the largest real score first, or use
    softmax.
one_in_the_denominator: _with_weights(_one_more)
evidence: row_sum()
    You add 1 to the sum so that it is never 0. Then no row of weights sums to 1, also where there
    is something to read.
highest_of_all: _with_weights(_highest_of_all)
    Your padding still takes part when the exponentials are made: in the largest score that you
    subtract, or in a softmax that you divide anew. Where its scores are much higher, nothing is
    left of the real ones: block them first.
softmax_over_queries: inf), dim=-1 -> inf), dim=-2 && ~has_any, 0.0 -> ~mask, 0.0
    Your softmax runs over the queries. Each query shares out its own 1 among the keys: dim=-1.
any_over_batch: mask.any(dim=-1 -> mask.any(dim=0
    You ask whether a key is real in any sentence of the batch. Whether there is something to read
    is asked of each sentence by itself, over its keys: dim=-1.
first_decides: mask.any -> mask[:1].any
    You ask of the first sentence whether there is something to read, and do the same for all. Ask
    of each by itself: mask.any(dim=-1, keepdim=True) keeps the batch.
weights_cleared_late: weights = weights.masked_fill(~has_any, 0.0) -> && \
        return weights @ value, weights -> return weights @ value, weights * has_any
    You set the weights of an empty sentence to 0 after the output was computed from them. So the
    output is an average of padding: set them to 0 first.
values_blocked: scores.masked_fill(~mask & has_any, -torch.inf) -> scores && \
        weights = weights.masked_fill(~has_any, 0.0) -> && weights @ value -> \
        weights @ value.masked_fill(~mask.mT, 0.0)
    You set the values of the padding to 0 and leave its weights. It has its share of each row, and
    the real tokens get too little: block the scores.
divided_by_head_dim: math.sqrt(query.shape[-1]) -> query.shape[-1]
    You divide the scores by head_dim. It should be its square root.
scaled_by_value_width: query.shape[-1] -> value.shape[-1]
    You divide by the square root of value.shape[-1]. The scores are dot products of queries and
    keys: divide by sqrt(query.shape[-1]).
lowest_number: & has_any, -torch.inf -> , torch.finfo(scores.dtype).min && \
        weights = weights.masked_fill(~has_any, 0.0) ->
    Where all keys are blocked, your scores are all equal (a large negative number in their place
    does that), and the answer is the average of the padding.
weights_left: weights = weights.masked_fill(~has_any, 0.0) -> && weights @ value -> \
        weights @ value * has_any
or: & has_any, -torch.inf -> , -1e9 && weights = weights.masked_fill(~has_any, 0.0) -> && \
        weights @ value -> weights @ value * has_any
    Your output is 0 for an empty sentence, and its weights are not. Set the weights to 0 first: the
    output, weights @ value, follows.
reachable_number: & has_any, -torch.inf -> , -50.0 || & has_any, -torch.inf -> , -1e4
    You put a number such as -50 or -10000 in the place of the blocked scores. Real scores can be
    lower still, and then the padding is read: use minus infinity.
blocked_too_late: scores.masked_fill(~mask & has_any, -torch.inf) -> scores && ~has_any -> ~mask
evidence: row_sum()
    You apply the mask after the softmax. The padding has had its share by then, and what is left no
    longer sums to 1: block the scores, before the softmax.
times_mask: scores.masked_fill(~mask & has_any, -torch.inf) -> scores * mask
or: scores.masked_fill(~mask & has_any, -torch.inf) -> scores * mask && \
        weights = weights.masked_fill(~has_any, 0.0) ->
    The scores of your padding become 0, as they do when they are multiplied by the mask. A score of
    0 is a score like any other, and the padding gets its share: put minus infinity there.
mask_ignored: scores.masked_fill(~mask & has_any, -torch.inf) -> scores
or: scores.masked_fill(~mask & has_any, -torch.inf) -> scores && \
        weights = weights.masked_fill(~has_any, 0.0) ->
    Your mask blocks nothing: the padding is read like a real token. Put minus infinity in the place
    of the scores where the mask is False.
mask_inverted: lambda query, key, value, mask: attend_safely(query, key, value, ~mask)
or: ~mask & has_any -> mask && weights = weights.masked_fill(~has_any, 0.0) ->
    Your mask works the wrong way round: you read the padding and block the real tokens. True means
    may attend, so block where ~mask.
no_scale: / math.sqrt(query.shape[-1]) ->
evidence: largest("weights")
    Your scores are not divided by sqrt(head_dim): the softmax becomes too hard.
only_all_empty: ~mask & has_any -> ~mask & mask.any() && ~has_any, 0.0 -> ~mask.any(), 0.0
    You treat the batch in which every sentence is empty. One empty sentence among others is NaN
    still: ask of each row, mask.any(dim=-1, keepdim=True).
one_for_all: mask.any(dim=-1, keepdim=True) -> mask.any(dim=-1).all()
    One empty sentence sets your whole batch to 0. Ask of each row by itself, mask.any(dim=-1,
    keepdim=True).
first_key_allowed: _with_weights(_first_key_allowed)
    You let an empty sentence read its first key, so that something is there. It is padding: the
    answer is what happens to stand in it.
zeros_like_query: _zeros_like_query
    Your zeros have the width of the queries. The output is made of values, so it is as wide as they
    are, also when there is none: weights (..., query_len, 0) @ value (..., 0, width) are zeros of
    the right shape by themselves.
"""


def _with_weights(weights_of):
    """A version whose weights are ``weights_of(scores, mask)``."""

    def version(query, key, value, mask):
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        weights = weights_of(scores, mask)
        return weights @ value, weights

    return version


def _first_key_allowed(scores, mask):
    is_first = torch.arange(scores.shape[-1]) == 0
    allowed = mask | (is_first & ~mask.any(dim=-1, keepdim=True))
    return softmax(scores.masked_fill(~allowed, -torch.inf), dim=-1)


def _highest_of_all(scores, mask):
    """Subtracts the largest score, be it blocked or not."""
    highest = scores.amax(dim=-1, keepdim=True) if scores.shape[-1] else 0
    exps = (scores - highest).exp() * mask
    return exps / exps.sum(dim=-1, keepdim=True).clamp(min=1e-30)


def _one_more(scores, mask):
    """The softmax with a 1 added to its denominator."""
    highest = scores.masked_fill(~mask, -1e30).amax(dim=-1, keepdim=True) if mask.numel() else 0
    exps = (scores.masked_fill(~mask, -1e30) - highest).exp() * mask
    return exps / (exps.sum(dim=-1, keepdim=True) + 1)


def _replaced_too_late(scores, mask):
    blocked = zeros_like(scores).masked_fill(~mask, -torch.inf)
    return softmax(scores + blocked, dim=-1).nan_to_num(0.0)


def _tiny_denominator(scores, mask):
    exps = scores.exp() * mask
    return exps / (exps.sum(dim=-1, keepdim=True) + 1e-9)


def _zeros_like_query(query, key, value, mask):
    output, weights = attend_safely(query, key, value, mask)
    return output if key.shape[-2] else zeros_like(query), weights


def _inputs(generator, lengths, query_len, key_len, heads=1, dtype=torch.float32, width=3):
    """Queries and keys of 4 features, values of ``width``, and the padding mask of ``lengths``."""
    sizes = (query_len, 4), (key_len, 4), (key_len, width)
    tensors = (randn(generator, len(lengths), heads, *size, dtype=dtype) for size in sizes)
    is_real = torch.arange(key_len, device="cpu") < tensor(lengths, device="cpu")[:, None]
    return *tensors, is_real[:, None, None, :]


def _cases(*sizes):
    return lambda generator: [Case(_inputs(generator, *size)) for size in sizes]


_ordinary = _cases(([2], 2, 3), ([2, 3], 3, 4, 2))  # all have padding: see "inverted"


_some_empty = _cases(
    ([3, 0], 2, 3), ([0, 3, 0], 2, 4, 2), ([0, 0], 3, 2), ([1, 0], 2, 2, 1, float64, 6)
)


def _low_scores(generator):
    """Scores of about -20000 at the real keys, and 20000 at the padding."""
    query, key, value, mask = _inputs(generator, [2, 0, 3], 2, 4, 2, dtype=float64)
    key = key / 25 + torch.where(mask, -400.0, 400.0).to(key)[:, :, 0, :, None]
    return [Case((query + 25, key, value, mask), label="large queries and keys")]


EXERCISE = Exercise(
    reference=attend_safely,
    returns={
        "output": "(batch, heads, query_len, features of the values)",
        "weights": "(batch, heads, query_len, key_len)",
    },
    library=(scaled_dot_product_attention, masked_softmax),
    properties=(
        Property("a sentence that has something to read is attended to as ever", 1, _ordinary),
        Property(
            "without any key the output is 0, for each query, as wide as the values",
            1,
            _cases(([0], 2, 0), ([0, 0], 3, 0, 2)),
        ),
        Property("a sentence of nothing but padding gives 0, and spoils no other", 1, _some_empty),
        Property("padding is not read either where the real keys' scores are low", 1, _low_scores),
        Property(
            "the gradient is finite and right, empty or not",
            2,
            gradient=all_of(_ordinary, _some_empty),
        ),
    ),
    stretched="query",
    mistakes=(MISTAKES, detached("query", "key", "value", name="gradient_cut")),
)
