"""Lesson 01, exercise 3: a softmax that does not overflow. torch.softmax is accepted as well."""

from torch import exp, float16, float64, tensor

from course_checks.exercise import Case, Exercise, Property, randn
from course_checks.judge.calling import call
from course_lib.attention.masks import masked_softmax


def stable_softmax(scores):
    numerators = exp(scores - scores.amax(dim=-1, keepdim=True))
    return numerators / numerators.sum(dim=-1, keepdim=True)


MISTAKES = """
naive: - scores.amax(dim=-1, keepdim=True) ->
    Your softmax is the textbook formula and overflows: exp(1000) is infinite in float32, and
    exp(-1000) is 0. A number subtracted from all scores of a row leaves the softmax unchanged:
    choose one that keeps the exponentials small.
naive_with_eps: - scores.amax(dim=-1, keepdim=True) -> && numerators.sum(dim=-1, keepdim=True) -> \
        (numerators.sum(dim=-1, keepdim=True) + 1e-9)
    A small number in the denominator hides 0/0: a row of very negative scores gets weights of 0,
    and large scores still overflow.
nan_to_num: lambda scores: (exp(scores) / exp(scores).sum(dim=-1, keepdim=True)).nan_to_num()
or: lambda scores: (exp(scores) / exp(scores).sum(dim=-1, keepdim=True)).nan_to_num(nan=1.0)
    You replace NaN after the division. By then a row in which exp overflowed no longer knows its
    weights.
clamped: scores - scores.amax(dim=-1, keepdim=True) -> scores.clamp(-80, 80) || scores.clamp(max=80)
    You cut large scores off before the exponential, and their weights come out even, whatever they
    were.
minus_mean: amax -> mean
    You subtract the mean of the row. The largest score may be far above it, and overflows.
minus_global_max: amax(dim=-1, keepdim=True) -> max()
    You subtract the largest score of the whole tensor, and a row far below it is 0/0. Each row
    needs its own maximum.
minus_column_max: amax(dim=-1 -> amax(dim=0
    You subtract the largest score of each column (dim=0). All scores of a row must be moved by the
    same number.
minus_largest_size: scores.amax -> scores.abs().amax
    You subtract the largest absolute value. In a row of very negative scores all the exponentials
    vanish.
without_exp: exp(scores - scores.amax(dim=-1, keepdim=True)) -> \
        scores - scores.amax(dim=-1, keepdim=True)
    You subtract the maximum and divide by the sum: the exponential in between is missing.
shares_of_scores: exp(scores - scores.amax(dim=-1, keepdim=True)) -> scores || scores.abs() || \
        scores.clamp(min=0) || scores**2
    You divide by the sum of the row, and there is no exponential before it. Scores may be negative,
    and their sum may be near 0: exp makes every number positive first.
divided_by_max: lambda scores: torch.softmax(scores / scores.amax(dim=-1, keepdim=True), dim=-1)
    You divide by the largest score instead of subtracting it. That changes the differences.
wrong_dimension: dim=-1 => dim=0
or: lambda scores: exp(scores) / exp(scores).sum(dim=0)
evidence: row_sum()
    Your softmax runs over the first dimension. It should run over the last one.
summed_over_all: sum(dim=-1, keepdim=True) -> sum()
evidence: total()
    You divide by the sum of the whole tensor. Each row should be divided by its own sum.
not_normalised: / numerators.sum(dim=-1, keepdim=True) ->
evidence: row_sum()
    You take the exponential and stop there: divide each row by its sum.
dimension_one: dim=-1 => dim=1
    Your softmax runs over dimension 1. Count from the end: dim=-1.
max_without_keepdim: amax(dim=-1, keepdim=True) -> amax(dim=-1)
or: sum(dim=-1, keepdim=True) -> sum(dim=-1)
or: , keepdim=True =>
    You use maxima or sums without keepdim=True, and that of row i meets column i. With keepdim=True
    it meets its own row.
summed_over_first: sum(dim=-1, keepdim=True) -> sum(dim=0)
evidence: row_sum()
    You divide by the sum over the first dimension. Each row has its own sum, over the last one.
minus_argmax: amax -> argmax
    You subtract where the largest score stands, not how large it is: max(dim=-1) returns both,
    values first.
minus_min: amax -> amin
    You subtract the smallest score of each row. The largest stays as far above it, and overflows.
minus_fixed_place: scores.amax(dim=-1, keepdim=True) -> scores[..., :1] || scores[..., -1:]
    You subtract the score at one fixed place of each row. Another may lie far above it and
    overflow.
shifted_after_exp: exp(scores - scores.amax(dim=-1, keepdim=True)) -> \
        exp(scores) - exp(scores).amax(dim=-1, keepdim=True)
    You subtract the maximum after the exponential. It belongs before it, where it cancels.
only_float64: exp(scores - scores.amax(dim=-1, keepdim=True)) -> exp(scores.double()) && \
        numerators / numerators.sum(dim=-1, keepdim=True) -> \
        (numerators / numerators.sum(dim=-1, keepdim=True)).to(scores.dtype)
    You compute in float64 and subtract nothing. exp(1000) is infinite in float64 too.
eps_after_shift: numerators.sum(dim=-1, keepdim=True) -> \
        (numerators.sum(dim=-1, keepdim=True) + 1e-3)
or: numerators.sum(dim=-1, keepdim=True) -> (numerators.sum(dim=-1, keepdim=True) + 1e-2)
or: numerators.sum(dim=-1, keepdim=True) -> (numerators.sum(dim=-1, keepdim=True) + 0.1)
or: numerators.sum(dim=-1, keepdim=True) -> (numerators.sum(dim=-1, keepdim=True) + 1e-6)
    {PLUS_EPS}
by_logsumexp: lambda scores: exp(scores - scores.logsumexp(dim=-1, keepdim=True))
    You subtract the logarithm of the sum. Beside scores of 1e8 it is lost in rounding: subtract the
    maximum, and divide by the sum.
logarithm: lambda scores: torch.log_softmax(scores, dim=-1)
    You return the logarithm of the softmax. The weights themselves are asked for.
"""

PLUS_EPS = (
    "You add a small number to the denominator. The sum is at least 1 without it, and the rows now "
    "sum to less."
)


def _divides_by_the_sum(function):
    """Float32 sees more than 5e-8 beside a sum near 1; the cases forgive far more."""
    scores = tensor([[0.0, -3.0, -6.0]], dtype=float64)
    outcome = call(EXERCISE, function, (scores,), 0)
    if outcome.answer is None or outcome.answer["weights"].shape != scores.shape:
        return None  # which the cases tell
    ratios = outcome.answer["weights"].cpu() / stable_softmax(scores)  # wherever it went
    is_smaller = ratios.max() < 1 - 5e-8 and ratios.max() - ratios.min() < 1e-9
    return (PLUS_EPS, "") if is_smaller else None


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
    reference=stable_softmax,
    returns={"weights": "the shape of scores"},
    library=(masked_softmax,),
    properties=(
        Property(
            "each row becomes exp(score) divided by the sum of exp over that row",
            2,
            _cases((2, 3), (4, 4), (3, 1)),
            judge=_divides_by_the_sum,
        ),
        Property(
            "it works over the last dimension, with any leading dimensions",
            1,
            _cases((3,), (2, 3, 4), (2, 1, 3, 5)),
        ),
        Property("large scores, up or down, give finite and right weights", 1, _large),
        Property("float16 scores give float16 weights, without an overflow", 1, _half),
    ),
    mistakes=MISTAKES,
)
