"""Lesson 05, exercise 6: rows with nothing to attend to."""

import torch
from torch import exp, finfo, float16, ones, softmax, zeros_like

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_checks.exercises.causal_masking.masked_softmax import (
    any_size,
    causal,
    masked_softmax,
    some,
)
from course_checks.judge.gradient import detached
from course_lib.attention import masks


def safe_masked_softmax(scores, mask):
    has_any = mask.any(dim=-1, keepdim=True)
    weights = softmax(scores.masked_fill(~mask & has_any, -torch.inf), dim=-1)
    return weights.masked_fill(~has_any, 0.0)


MISTAKES = """
not_a_number: & has_any -> && .masked_fill(~has_any, 0.0) ->
    A row of minus infinity everywhere gives NaN: its softmax is 0/0. Multiplying it by 0 does not
    help, NaN times 0 is NaN still. Such a row must be mended before.
replaced_too_late: _replaced_too_late
    {NAN_GRADIENT}
lowest_number: & has_any, -torch.inf -> , torch.finfo(scores.dtype).min && \
        .masked_fill(~has_any, 0.0) ->
    You put the lowest number of the dtype in the place of the blocked scores. Where all are blocked
    they are all equal, and the query attends to everything alike, padding included.
minus_1e9: & has_any, -torch.inf -> , -1e9 && .masked_fill(~has_any, 0.0) ->
or: & has_any, -torch.inf -> , -1e4 && .masked_fill(~has_any, 0.0) ->
or: & has_any, -torch.inf -> , -1e20 && .masked_fill(~has_any, 0.0) ->
or: scores.masked_fill(~mask & has_any, -torch.inf) -> torch.where(mask, scores, -1e6) && \
        .masked_fill(~has_any, 0.0) ->
or: scores.masked_fill(~mask & has_any, -torch.inf) -> torch.where(mask, scores, -1e20) && \
        .masked_fill(~has_any, 0.0) ->
    You put a number such as -1e9 in the place of the blocked scores. Where all are blocked they are
    all equal, so the query attends to everything alike; and float16 ends at -65504.
masked_after: lambda scores, mask: softmax(scores, dim=-1) * mask
    You multiply the weights by the mask after the softmax. That empties the empty rows, and in all
    others the blocked keys have taken their share by then. (If you mask before it too, that blocks
    nothing: does it ask all where it should ask any?)
inverted: lambda scores, mask: safe_masked_softmax(scores, ~mask)
or: ~mask & has_any -> mask & has_any
    You block what is allowed. The mask is True where a query may attend.
renormalised: scores.masked_fill(~mask & has_any, -torch.inf) -> scores && \
        return weights.masked_fill(~has_any, 0.0) -> \
        weights = weights * mask; return weights / (weights.sum(dim=-1, keepdim=True) + ~has_any)
    You mask after the exponentials and divide by the new sum. A large blocked score leaves all the
    allowed ones a weight of exactly 0, and 0/0 is NaN. Mask before the softmax.
renormalised_with_eps: scores.masked_fill(~mask & has_any, -torch.inf) -> scores && \
        return weights.masked_fill(~has_any, 0.0) -> \
        weights = weights * mask; return weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-6)
or: scores.masked_fill(~mask & has_any, -torch.inf) -> scores && \
        return weights.masked_fill(~has_any, 0.0) -> \
        weights = weights * mask; return weights / weights.sum(dim=-1, keepdim=True).clamp(min=1e-9)
    You mask after the exponentials and divide by the new sum, kept from being 0. A large blocked
    score leaves all the allowed ones a weight of 0, and so the whole row. Mask before the softmax.
filled_then_cleared: & has_any, -torch.inf -> , -1e4 && weights.masked_fill(~has_any, 0.0) -> \
        weights * mask
or: & has_any, -torch.inf -> , -1e9 && weights.masked_fill(~has_any, 0.0) -> weights * mask
or: & has_any, -torch.inf -> , -1e20 && weights.masked_fill(~has_any, 0.0) -> weights * mask
or: scores.masked_fill(~mask & has_any, -torch.inf) -> torch.where(mask, scores, -1e6) && \
        weights.masked_fill(~has_any, 0.0) -> weights * mask
    You block with a large number and clear the blocked weights afterwards. Where the allowed scores
    lie below that number, the blocked keys have taken everything by then: use minus infinity, in
    the rows that allow something.
lowest_then_cleared: & has_any, -torch.inf -> , finfo(scores.dtype).min && \
        weights.masked_fill(~has_any, 0.0) -> weights * mask
or: & has_any, -torch.inf -> , finfo(scores.dtype).min
    You block with the lowest number of the dtype. An allowed score may be that very number: then
    the blocked keys take as much. Use minus infinity, in the rows that allow something.
without_maximum: _without_maximum || _without_maximum_with_eps
    You take exp of the scores as they are, and it overflows: exp(1000) is infinite. torch.softmax
    subtracts the largest score first.
with_eps: _with_eps
    You keep the sum of an empty row from being 0 with a number such as 1e-9. In float16 that number
    is 0, and you divide 0 by 0.
unmasked_where_empty: .masked_fill(~has_any, 0.0) ->
    A row that allows nothing attends to everything in your version: it still has to be set to 0
    after the softmax.
all_for_any: masked_fill(~has_any -> masked_fill(~mask.all(dim=-1, keepdim=True)
    You set every row to 0 that blocks something: that is mask.all. An empty row is one that has no
    True at all: mask.any.
whole_mask: weights.masked_fill(~has_any, 0.0) -> (weights if mask.any() else 0 * weights) && \
        ~mask & has_any -> ~mask & mask.any()
    You ask whether the whole mask is empty. One row may be empty while others are not: ask each
    row, mask.any(dim=-1, keepdim=True).
one_empty_clears_all: return weights.masked_fill(~has_any, 0.0) -> \
        return weights if has_any.all() else 0 * weights
    One empty row sets all rows to zero in your version. Each row stands for itself.
any_over_queries: any(dim=-1 -> any(dim=-2
    You ask of each key whether some query may attend to it. It is the rows that may be empty: any
    over the keys, dim=-1.
keepdim_forgotten: , keepdim=True ->
    You leave out keepdim=True, so what belongs to the rows meets the columns. With it each row's
    answer stays beside its row.
over_queries: inf), dim=-1 -> inf), dim=-2
or: lambda scores, mask: softmax(scores.masked_fill(~mask, -torch.inf), dim=-2).nan_to_num()
    Your softmax runs over the queries. Each query shares out its own weight among the keys: dim=-1.
zero_then_cleared: scores.masked_fill(~mask & has_any, -torch.inf) -> scores * mask && \
        weights.masked_fill(~has_any, 0.0) -> weights * mask
    You set the blocked scores to 0 and clear their weights afterwards. A score of 0 is a score like
    any other: exp(0) is 1, and the blocked keys have taken their share.
filled_with_zero: scores.masked_fill(~mask & has_any, -torch.inf) -> scores * mask
    You set the blocked scores to 0. A score of 0 is a score like any other: exp(0) is 1. Put minus
    infinity there, in the rows that allow something.
first_key: _first_key
    An empty row attends to key 0 in your version. It should get nothing at all.
"""


def _replaced_too_late(scores, mask):
    blocked = zeros_like(scores).masked_fill(~mask, -torch.inf)
    return softmax(scores + blocked, dim=-1).nan_to_num(0.0)


def _plus_empty(total, mask):
    return total + ~mask.any(dim=-1, keepdim=True)


def _without_maximum(scores, mask):
    numerators = exp(scores) * mask
    return numerators / _plus_empty(numerators.sum(dim=-1, keepdim=True), mask)


def _with_eps(scores, mask):
    largest = scores.masked_fill(~mask, finfo(scores.dtype).min).amax(dim=-1, keepdim=True)
    numerators = exp(scores - largest).masked_fill(~mask, 0.0)
    return numerators / (numerators.sum(dim=-1, keepdim=True) + 1e-9)


def _with_empty(generator, *shape):
    """A random mask whose first row is empty, and whose other rows are not."""
    mask = some(generator, *shape)
    mask[..., 0, :] = False
    return mask


def _full_rows(generator):
    everything = ones(2, 3, dtype=torch.bool, device="cpu")
    return [
        Case((randn(generator, 3, 3), causal(3, 3))),
        Case((randn(generator, 2, 3), everything)),
        Case((randn(generator, 2, 3, 4), some(generator, 2, 3, 4))),
    ]


def _empty_rows(generator):
    return [
        Case((randn(generator, 3, 3), causal(3, 3).tril(-1)), label="a strictly causal mask"),
        Case((randn(generator, 2, 2, 3, 4), _with_empty(generator, 2, 1, 3, 4))),
        Case((randn(generator, 2, 3), ~ones(2, 3, dtype=torch.bool)), label="an empty mask"),
        Case((randn(generator, 2, 3, 5), _with_empty(generator, 3, 5))),
    ]


def _half(generator):
    mask = _with_empty(generator, 3, 4)
    return [Case((randn(generator, 3, 4).to(float16), mask))]


def _without_maximum_with_eps(scores, mask):
    numerators = exp(scores) * mask
    return numerators / (numerators.sum(dim=-1, keepdim=True) + 1e-9)


def _first_key(scores, mask):
    mask = mask.clone()
    mask[..., 0] |= ~mask.any(dim=-1)
    return masked_softmax(scores, mask)


EXERCISE = Exercise(
    reference=safe_masked_softmax,
    returns={"weights": "the shape of scores"},
    library=(masks.masked_softmax,),
    properties=(
        Property("a row that allows something is the softmax of what it allows", 1, _full_rows),
        Property("a row that allows nothing gives zeros", 1, _empty_rows),
        Property("scores of any size: what is blocked has no influence", 1, any_size),
        Property("the same holds in float16", 1, _half),
        Property(
            "the gradient is finite and right, also next to empty rows",
            1,
            gradient=all_of(_full_rows, _empty_rows),
        ),
    ),
    mistakes=(MISTAKES, detached("scores", name="detached")),
)
