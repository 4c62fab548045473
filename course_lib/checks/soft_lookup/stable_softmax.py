"""Lesson 01, exercise 3: a softmax that does not overflow. torch.softmax is accepted as well."""

from torch import exp, float16, log_softmax, softmax, tensor

from course_lib.attention.masks import masked_softmax
from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.observations import row_sum, total


def stable_softmax(scores):
    numerators = exp(scores - scores.amax(dim=-1, keepdim=True))
    return numerators / numerators.sum(dim=-1, keepdim=True)


def _shifted_by(shift_of):
    """A version that subtracts something else than the largest score of each row."""

    def version(scores):
        numerators = exp(scores - shift_of(scores))
        return numerators / numerators.sum(dim=-1, keepdim=True)

    return version


def _naive_with_eps(scores):
    numerators = exp(scores)
    return numerators / (numerators.sum(dim=-1, keepdim=True) + 1e-9)


def _divided_by_max(scores):
    return softmax(scores / scores.amax(dim=-1, keepdim=True), dim=-1)


def _without_exp(scores):
    shifted = scores - scores.amax(dim=-1, keepdim=True)
    return shifted / shifted.sum(dim=-1, keepdim=True)


def _kept(max_dim, sum_dim):
    """A version that gives these arguments to amax and to sum."""

    def version(scores):
        numerators = exp(scores - scores.amax(**max_dim))
        return numerators / numerators.sum(**sum_dim)

    return version


_OF_ROWS = {"dim": -1, "keepdim": True}


def _eps_after_shift(eps):
    def version(scores):
        numerators = exp(scores - scores.amax(dim=-1, keepdim=True))
        return numerators / (numerators.sum(dim=-1, keepdim=True) + eps)

    return version


def _only_float64(scores):
    return _shifted_by(lambda s: 0)(scores.double()).to(scores.dtype)


def _shares_of(numbers_of):
    """A version that never takes an exponential."""

    def version(scores):
        numbers = numbers_of(scores)
        return numbers / numbers.sum(dim=-1, keepdim=True)

    return version


def _by_logsumexp(scores):
    return exp(scores - scores.logsumexp(dim=-1, keepdim=True))


def _shifted_after_exp(scores):
    numerators = exp(scores)
    numerators = numerators - numerators.amax(dim=-1, keepdim=True)
    return numerators / numerators.sum(dim=-1, keepdim=True)


def _summed_over_all(scores):
    numerators = exp(scores - scores.amax(dim=-1, keepdim=True))
    return numerators / numerators.sum()


def _cases(*shapes):
    return lambda generator: [Case((randn(generator, *shape),)) for shape in shapes]


def _large(generator):
    """Scores near +1000 and -1000; the last has rows of both."""
    up, down, both = randn(generator, 1, 3), randn(generator, 1, 3), randn(generator, 2, 4)
    both[0] += 1000
    both[1] -= 1000
    spread = randn(generator, 2, 5)  # far apart within each row, and the largest inside it
    spread = 100 * spread + 500 * tensor([-1.0, 1.0, 1.0, -1.0, -1.0])
    wide = randn(generator, 2, 4) + tensor([1060.0, 940.0, 1060.0, 940.0])
    equal = tensor([[1e8, 1e8, 1e8], [-1e8, -1e8, -1e8]])
    return [
        *(Case((s,)) for s in (up + 1000, down - 1000, both, spread, wide)),
        Case((equal,), label="equal scores of 1e8 and of -1e8"),
    ]


def _half(generator):
    """exp(12) is more than the largest float16, 65504."""
    return [Case(((randn(generator, 2, 3) + 12).to(float16),))]


EXERCISE = Exercise(
    lesson="01",
    number=3,
    reference=stable_softmax,
    returns={"weights": "the shape of scores"},
    library=(masked_softmax,),
    properties=(
        Property(
            "each row becomes exp(score) divided by the sum of exp over that row",
            2,
            _cases((2, 3), (4, 4), (3, 1)),
        ),
        Property(
            "it works over the last dimension, with any leading dimensions",
            1,
            _cases((3,), (2, 3, 4), (2, 1, 3, 5)),
        ),
        Property("large scores, up or down, give finite and right weights", 1, _large),
        Property("float16 scores give float16 weights, without an overflow", 1, _half),
    ),
    mistakes=(
        Mistake(
            "naive",
            "Your softmax is the textbook formula and overflows: exp(1000) is infinite in float32, "
            "and exp(-1000) is 0, so you divide infinity by infinity or 0 by 0. A number "
            "subtracted from all scores of a row leaves the softmax unchanged; choose one that "
            "keeps the exponentials small.",
            lambda scores: exp(scores) / exp(scores).sum(dim=-1, keepdim=True),
        ),
        Mistake(
            "naive_with_eps",
            "A small number in the denominator hides 0/0 and does not cure it: a row of very "
            "negative scores gets weights of 0, and large scores still overflow.",
            _naive_with_eps,
        ),
        Mistake(
            "nan_to_num",
            "You replace NaN by a number after the division. The information is lost by then: a "
            "row in which exp overflowed or vanished no longer knows its weights.",
            lambda scores: _shifted_by(lambda s: 0)(scores).nan_to_num(),
            also=(lambda scores: _shifted_by(lambda s: 0)(scores).nan_to_num(nan=1.0),),
        ),
        Mistake(
            "clamped",
            "You cut large scores off before the exponential. All scores above the limit then look "
            "the same, so their weights come out even, whatever the scores were.",
            lambda scores: _shifted_by(lambda s: 0)(scores.clamp(-80, 80)),
            also=(lambda scores: _shifted_by(lambda s: 0)(scores.clamp(max=80)),),
        ),
        Mistake(
            "minus_mean",
            "You subtract the mean of the row. In a row whose scores lie far apart the largest is "
            "still far above the mean, and its exponential overflows.",
            _shifted_by(lambda scores: scores.mean(dim=-1, keepdim=True)),
        ),
        Mistake(
            "minus_global_max",
            "You subtract the largest score of the whole tensor. A row that lies far below it "
            "underflows to zeros everywhere, and 0/0 is NaN. Every row needs its own maximum.",
            _shifted_by(lambda scores: scores.max()),
        ),
        Mistake(
            "minus_column_max",
            "You subtract the largest score of each column (dim=0) and divide by the sum of each "
            "row. Both have to run along the row: all its scores must be moved by the same number.",
            _shifted_by(lambda scores: scores.amax(dim=0, keepdim=True)),
        ),
        Mistake(
            "minus_largest_size",
            "You subtract the largest absolute value. In a row of very negative scores that moves "
            "them down further, and all the exponentials vanish.",
            _shifted_by(lambda scores: scores.abs().amax(dim=-1, keepdim=True)),
        ),
        Mistake(
            "without_exp",
            "You subtract the maximum and divide by the sum, and the exponential in between is "
            "missing.",
            _without_exp,
        ),
        Mistake(
            "shares_of_scores",
            "You divide by the sum of the row, and there is no exponential before it. Scores may "
            "be negative, and their sum may be near 0: exp makes every number positive first.",
            _shares_of(lambda scores: scores),
            also=(
                _shares_of(lambda scores: scores.abs()),
                _shares_of(lambda scores: scores.clamp(min=0)),
                _shares_of(lambda scores: scores**2),
            ),
        ),
        Mistake(
            "divided_by_max",
            "You divide by the largest score instead of subtracting it. Subtracting leaves a "
            "softmax unchanged; dividing changes the differences between the scores.",
            _divided_by_max,
        ),
        Mistake(
            "wrong_dimension",
            "Your softmax runs over the first dimension. It should run over the last one.",
            lambda scores: softmax(scores, dim=0),
            row_sum(),
            also=(lambda scores: exp(scores) / exp(scores).sum(dim=0),),
        ),
        Mistake(
            "summed_over_all",
            "You divide by the sum of the whole tensor. Each row should be divided by its own sum.",
            _summed_over_all,
            total(),
        ),
        Mistake(
            "not_normalised",
            "You subtract the maximum and take the exponential, and stop there: each row still has "
            "to be divided by its sum.",
            lambda scores: exp(scores - scores.amax(dim=-1, keepdim=True)),
            row_sum(),
        ),
        Mistake(
            "dimension_one",
            "Your softmax runs over dimension 1. That is the last one of a table only: count from "
            "the end, dim=-1.",
            lambda scores: softmax(scores, dim=1),
        ),
        Mistake(
            "max_without_keepdim",
            "You subtract the maxima without keepdim=True. Shapes are matched from the right, so "
            "the maximum of row i meets column i: with keepdim=True it meets its own row.",
            _kept({"dim": -1}, _OF_ROWS),
        ),
        Mistake(
            "sum_without_keepdim",
            "You divide by the sums without keepdim=True. Shapes are matched from the right, so "
            "the sum of row i meets column i: with keepdim=True it meets its own row.",
            _kept(_OF_ROWS, {"dim": -1}),
        ),
        Mistake(
            "neither_keepdim",
            "You use the maxima and the sums without keepdim=True. Shapes are matched from the "
            "right, so the number of row i meets column i: with keepdim=True it meets its own row.",
            _kept({"dim": -1}, {"dim": -1}),
        ),
        Mistake(
            "summed_over_first",
            "You divide by the sum over the first dimension. Each row should be divided by its own "
            "sum, over the last one.",
            _kept(_OF_ROWS, {"dim": 0}),
            row_sum(),
        ),
        Mistake(
            "minus_argmax",
            "You subtract where the largest score stands, not how large it is: max(dim=-1) returns "
            "both, the values first and the places second.",
            _shifted_by(lambda scores: scores.argmax(dim=-1, keepdim=True)),
        ),
        Mistake(
            "minus_min",
            "You subtract the smallest score of each row. The largest then stays as far above it "
            "as before, and its exponential overflows in a row whose scores lie far apart.",
            _shifted_by(lambda scores: scores.amin(dim=-1, keepdim=True)),
        ),
        Mistake(
            "minus_fixed_place",
            "You subtract the score that stands at one fixed place of each row, such as the first. "
            "Where another one lies far above it, the exponential of that one overflows.",
            _shifted_by(lambda scores: scores[..., :1]),
            also=(_shifted_by(lambda scores: scores[..., -1:]),),
        ),
        Mistake(
            "shifted_after_exp",
            "You subtract the maximum after the exponential. It belongs before it: there it "
            "cancels, and keeps the exponentials small.",
            _shifted_after_exp,
        ),
        Mistake(
            "only_float64",
            "You compute in float64 and subtract nothing. That moves the overflow and does not "
            "remove it: exp(1000) is infinite in float64 too.",
            _only_float64,
        ),
        Mistake(
            "eps_after_shift",
            "You add a small number to the denominator. After the subtraction the sum is at least "
            "1, so nothing needs it, and the rows now sum to less than 1.",
            _eps_after_shift(1e-3),
            also=(_eps_after_shift(1e-2), _eps_after_shift(0.1)),
        ),
        Mistake(
            "by_logsumexp",
            "You subtract the logarithm of the sum. Beside a very large score that logarithm is "
            "lost in rounding: of two scores of 1e8 both get the weight 1. Subtract the maximum, "
            "and divide by the sum.",
            _by_logsumexp,
        ),
        Mistake(
            "logarithm",
            "You return the logarithm of the softmax. The weights themselves are asked for.",
            lambda scores: log_softmax(scores, dim=-1),
        ),
    ),
)
