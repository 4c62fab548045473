"""Lesson 05, exercise 3: the mask before the softmax. Every row may attend to something."""

import torch
from torch import exp, finfo, float16, float32, ones, rand, softmax

from course_lib.attention import masks
from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.gradient import cut_off, gradient_fault
from course_lib.checks.judge.observations import row_sum


def masked_softmax(scores, mask):
    return softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)


def _filled_with(number):
    """A version that puts another number than minus infinity in the place of blocked scores."""
    return lambda scores, mask: softmax(scores.masked_fill(~mask, number), dim=-1)


def _filled_with_lowest(scores, mask):
    return softmax(scores.masked_fill(~mask, finfo(scores.dtype).min), dim=-1)


def _masked_after(scores, mask):
    return softmax(scores, dim=-1) * mask


def _renormalised(eps):
    def version(scores, mask):
        weights = softmax(scores, dim=-1) * mask
        return weights / (weights.sum(dim=-1, keepdim=True) + eps)

    return version


def _without_maximum(scores, mask):
    numerators = exp(scores) * mask
    return numerators / numerators.sum(dim=-1, keepdim=True)


def _zero_times_infinity(scores, mask):
    return softmax(scores + (1 - mask.to(scores.dtype)) * -torch.inf, dim=-1)


def _number_taken_off(number):
    return lambda scores, mask: softmax(scores - number * ~mask, dim=-1)


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


def _first_mask(scores, mask):
    return masked_softmax(scores, mask.reshape(-1, *mask.shape[-2:])[0])


def _equal_shares(scores, mask):
    allowed = mask.expand(scores.shape).to(scores.dtype)
    return allowed / allowed.sum(dim=-1, keepdim=True)


EXERCISE = Exercise(
    lesson="05",
    number=3,
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
    mistakes=(
        Mistake(
            "masked_after",
            "You mask after the softmax: the blocked keys have taken their share by then, and "
            "setting it to 0 gives it back to nobody. Mask the scores, before the softmax.",
            _masked_after,
            row_sum(),
        ),
        Mistake(
            "renormalised_after",
            "You mask after the exponentials and divide by the new sum. That is right for small "
            "scores; but a large blocked score leaves all the allowed ones a weight of exactly 0, "
            "and 0/0 is NaN. Mask before the softmax.",
            _renormalised(0.0),
        ),
        Mistake(
            "renormalised_with_eps",
            "You mask after the exponentials and divide by the new sum plus a small number. A "
            "large blocked score leaves all the allowed ones a weight of 0, and so the whole row. "
            "Mask before the softmax.",
            _renormalised(1e-9),
        ),
        Mistake(
            "filled_with_zero",
            "You set the blocked scores to 0 (or multiply by the mask). A score of 0 is a score "
            "like any other: exp(0) is 1. What number has the exponential 0?",
            _filled_with(0.0),
        ),
        Mistake(
            "filled_with_1e4",
            "You put a number such as -10000 or -1e9 in the place of the blocked scores. Where "
            "the allowed ones lie below that, the blocked keys win: use minus infinity.",
            _filled_with(-1e4),
            also=(_filled_with(-65504.0), _filled_with(-1e9)),
        ),
        Mistake(
            "filled_with_lowest",
            "You put the lowest number of the dtype in the place of the blocked scores. An allowed "
            "score may be just as low, and then the blocked keys take a share: use minus infinity.",
            _filled_with_lowest,
        ),
        Mistake(
            "small_number_added",
            "You take a number off the blocked scores. Where one is larger than that number it "
            "wins all the same: use minus infinity.",
            _number_taken_off(1e4),
            also=(_number_taken_off(100.0), _number_taken_off(20.723)),
        ),
        Mistake(
            "zero_times_infinity",
            "You multiply infinity by a mask of 0 and 1. 0 times infinity is not 0, it is NaN: use "
            "masked_fill or torch.where.",
            _zero_times_infinity,
        ),
        Mistake(
            "mask_added",
            "You add the boolean mask to the scores. That adds 1 to the allowed ones and blocks "
            "nothing.",
            lambda scores, mask: softmax(scores + mask, dim=-1),
        ),
        Mistake(
            "inverted",
            "You block what is allowed. The mask is True where a query may attend: ~mask is what "
            "masked_fill should fill.",
            lambda scores, mask: masked_softmax(scores, ~mask),
            also=(lambda scores, mask: masked_softmax(scores, ~mask).nan_to_num(0.0),),
        ),
        Mistake(
            "unmasked",
            "Your softmax does not use the mask, or it throws the masked scores away: masked_fill "
            "returns a new tensor.",
            lambda scores, mask: softmax(scores, dim=-1),
        ),
        Mistake(
            "without_maximum",
            "You take exp of the scores as they are, and it overflows: exp(1000) is infinite. "
            "torch.softmax subtracts the largest score first.",
            _without_maximum,
        ),
        Mistake(
            "over_queries",
            "Your softmax runs over the queries. Each query shares out its own weight among the "
            "keys: dim=-1.",
            lambda scores, mask: softmax(scores.masked_fill(~mask, -torch.inf), dim=-2),
            row_sum(),
        ),
        Mistake(
            "by_logsumexp",
            "You subtract the logarithm of the sum. Beside scores near -100000 that logarithm is "
            "rounded to two digits behind the point, and the weights are off with it: subtract the "
            "largest score, take exp, and divide by the sum. torch.softmax does it so.",
            _by_logsumexp,
        ),
        Mistake(
            "own_triangle",
            "You build a causal mask of your own and ignore the one you are given.",
            lambda scores, mask: masked_softmax(scores, causal(*scores.shape[-2:])),
        ),
        Mistake(
            "first_mask",
            "You use the first of the masks for all. A mask may have one for each sentence.",
            _first_mask,
        ),
        Mistake(
            "mask_transposed",
            "You turn the mask round. Its rows are the queries, as those of the scores are.",
            lambda scores, mask: masked_softmax(scores, mask.transpose(-2, -1)),
        ),
        Mistake(
            "equal_shares",
            "Your weights are equal shares among the allowed keys. The scores say how much each of "
            "them gets.",
            _equal_shares,
        ),
        Mistake(
            "softmax_twice",
            "You take the softmax of a softmax. One is enough, of the masked scores.",
            lambda scores, mask: masked_softmax(softmax(scores, dim=-1), mask),
        ),
        Mistake(
            "blocked_dropped",
            "You pick the allowed scores out, and all rows run together into one: keep the shape, "
            "and put minus infinity where a score is blocked.",
            lambda scores, mask: softmax(scores[mask.expand(scores.shape)], dim=-1),
        ),
        Mistake(
            "detached",
            cut_off("scores"),
            lambda scores, mask: masked_softmax(scores.detach(), mask),
        ),
    ),
)
