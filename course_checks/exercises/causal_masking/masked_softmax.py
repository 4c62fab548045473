"""Lesson 05, exercise 3: the mask before the softmax. Every row may attend to something."""

import torch
from torch import exp, finfo, float16, float32, ones, rand, softmax

from course_checks.exercise import Case, Exercise, Property, randn
from course_checks.judge.gradient import detached, gradient_fault
from course_lib.attention import masks


def masked_softmax(scores, mask):
    return softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)


MISTAKES = """
masked_after: lambda scores, mask: softmax(scores, dim=-1) * mask
evidence: row_sum()
    You mask after the softmax: the blocked keys have taken their share by then, and setting it to 0
    gives it back to nobody. Mask the scores, before the softmax.
renormalised_after: renormalised(0.0)
    You mask after the exponentials and divide by the new sum. That is right for small scores; but a
    large blocked score leaves all the allowed ones a weight of exactly 0, and 0/0 is NaN. Mask
    before the softmax.
renormalised_with_eps: renormalised(1e-9)
    You mask after the exponentials and divide by the new sum plus a small number. A large blocked
    score leaves all the allowed ones a weight of 0, and so the whole row. Mask before the softmax.
filled_with_zero: -torch.inf -> 0.0
    You set the blocked scores to 0 (or multiply by the mask). A score of 0 is a score like any
    other: exp(0) is 1. What number has the exponential 0?
filled_with_1e4: -torch.inf -> -1e4 || -65504.0 || -1e9 || -1e20
or: scores.masked_fill(~mask, -torch.inf) -> torch.where(mask, scores, -1e6) || \
        torch.where(mask, scores, -1e20)
    You put a number such as -10000 or -1e9 in the place of the blocked scores. Where the allowed
    ones lie below that, the blocked keys win: use minus infinity.
filled_with_lowest: -torch.inf -> finfo(scores.dtype).min
    You put the lowest number of the dtype in the place of the blocked scores. An allowed score may
    be just as low, and then the blocked keys take a share: use minus infinity.
small_number_added: scores.masked_fill(~mask, -torch.inf) -> scores - 1e4 * ~mask || \
        scores - 100.0 * ~mask || scores - 20.723 * ~mask || scores - 1e9 * ~mask || \
        scores + (1.0 - mask.to(scores.dtype)) * -1e9 || scores + (1 - mask.to(scores.dtype)) * -1e4
    You take a number off the blocked scores. Where one is larger than that number it wins all the
    same: use minus infinity.
zero_times_infinity: scores.masked_fill(~mask, -torch.inf) -> \
                scores + (1 - mask.to(scores.dtype)) * -torch.inf
    You multiply infinity by a mask of 0 and 1. 0 times infinity is not 0, it is NaN: use
    masked_fill or torch.where.
mask_added: scores.masked_fill(~mask, -torch.inf) -> scores + mask
    You add the boolean mask to the scores. That adds 1 to the allowed ones and blocks nothing.
inverted: ~mask -> mask || ~mask -> mask && dim=-1) -> dim=-1).nan_to_num(0.0)
    You block what is allowed. The mask is True where a query may attend: ~mask is what masked_fill
    should fill.
unmasked: scores.masked_fill(~mask, -torch.inf) -> scores
    Your softmax does not use the mask, or it throws the masked scores away: masked_fill returns a
    new tensor.
without_maximum: _without_maximum
    You take exp of the scores as they are, and it overflows: exp(1000) is infinite. torch.softmax
    subtracts the largest score first.
over_queries: dim=-1 -> dim=-2
evidence: row_sum()
    Your softmax runs over the queries. Each query shares out its own weight among the keys: dim=-1.
by_logsumexp: _by_logsumexp
    You subtract the logarithm of the sum. Beside scores near -100000 that logarithm is rounded to
    two digits behind the point, and the weights are off with it: subtract the largest score, take
    exp, and divide by the sum. torch.softmax does it so.
own_triangle: ~mask -> ~causal(*scores.shape[-2:])
    You build a causal mask of your own and ignore the one you are given.
first_mask: ~mask -> ~mask.reshape(-1, *mask.shape[-2:])[0]
    You use the first of the masks for all. A mask may have one for each sentence.
mask_transposed: ~mask -> ~mask.transpose(-2, -1)
    You turn the mask round. Its rows are the queries, as those of the scores are.
equal_shares: scores.masked_fill -> (0 * scores).masked_fill
    Your weights are equal shares among the allowed keys. The scores say how much each of them gets.
softmax_twice: scores.masked_fill -> softmax(scores, dim=-1).masked_fill
    You take the softmax of a softmax. One is enough, of the masked scores.
blocked_dropped: scores.masked_fill(~mask, -torch.inf) -> scores[mask.expand(scores.shape)]
    You pick the allowed scores out, and all rows run together into one: keep the shape, and put
    minus infinity where a score is blocked.
"""


def renormalised(eps, fills=False):
    """The mask behind the softmax, and a division by what is left plus ``eps``."""

    def version(scores, mask):
        weights = softmax(scores, dim=-1)
        weights = weights.masked_fill(~mask, 0.0) if fills else weights * mask
        return weights / (weights.sum(dim=-1, keepdim=True) + eps)

    return version


def _without_maximum(scores, mask):
    numerators = exp(scores) * mask
    return numerators / numerators.sum(dim=-1, keepdim=True)


def causal(*shape):
    return ones(*shape, dtype=torch.bool, device="cpu").tril()


def some(generator, *shape):
    """A random mask whose rows all allow something and block something."""
    order = rand(*shape, generator=generator, device="cpu").argsort(dim=-1)
    return order < torch.randint(1, shape[-1], (*shape[:-1], 1), generator=generator, device="cpu")


def _one_table(generator):
    return [
        Case((randn(generator, 3, 3), causal(3, 3))),
        Case((randn(generator, 2, 4), some(generator, 2, 4))),
        Case((randn(generator, 4, 4), some(generator, 4, 4))),
    ]


def _more_dimensions(generator):
    return [
        Case((randn(generator, 2, 3, 4, 4), causal(4, 4))),
        Case((randn(generator, 2, 3, 4, 4), some(generator, 2, 1, 4, 4))),
        Case((randn(generator, 2, 2, 3, 5), some(generator, 2, 1, 1, 5))),
    ]


def any_size(generator):
    above, below = randn(generator, 3, 4), randn(generator, 3, 4)
    mask, other = some(generator, 3, 4), some(generator, 3, 4)
    return [
        Case((below + 1000, other), label="scores near 1000"),
        Case((above + 1e5 * ~mask, mask), label="blocked scores near 100000, the others near 0"),
        Case((above + 1e30 * ~mask, mask), label="blocked scores near 1e30, the others near 0"),
        Case((below - 1e5, other), label="scores near -100000"),
        Case((ones(3, 4, device="cpu") * -4e9, causal(3, 4)), label="scores of -4e9"),
        Case(
            (ones(3, 4, device="cpu") * finfo(float32).min, causal(3, 4)), label="the lowest scores"
        ),
    ]


def _sizes_and_dtypes(generator):
    half = Case((randn(generator, 4, 4).to(float16), causal(4, 4)))
    return [*any_size(generator), half]


def _gradient(function):
    return gradient_fault(
        EXERCISE, function, _one_table(torch.Generator(device="cpu").manual_seed(0))
    )


def _by_logsumexp(scores, mask):
    blocked = scores.masked_fill(~mask, -torch.inf)
    return exp(blocked - blocked.logsumexp(dim=-1, keepdim=True))


EXERCISE = Exercise(
    reference=masked_softmax,
    returns={"weights": "the shape of scores"},
    library=(masks.masked_softmax,),
    properties=(
        Property(
            "each row is the softmax of its allowed scores alone, and 0 elsewhere", 2, _one_table
        ),
        Property("it takes leading dimensions, and masks that broadcast", 1, _more_dimensions),
        Property(
            "scores of any size, in float16 too: what is blocked has no influence",
            1,
            _sizes_and_dtypes,
        ),
        Property("gradients pass through", 1, judge=_gradient),
    ),
    mistakes=(MISTAKES, detached("scores", name="detached")),
)
