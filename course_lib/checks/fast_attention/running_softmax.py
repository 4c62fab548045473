"""Lesson 12, exercise 1: maximum and total of a softmax, after each key."""

import torch
from torch import exp, float16, float64, tensor

from course_lib.attention.online_softmax import merge, partial_softmax
from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn


def running_softmax(scores):
    maxima = scores.cummax(dim=0).values
    lower = exp(scores[None, :] - maxima[:, None]).tril()  # row i: the keys up to i
    return maxima, lower.sum(dim=-1)


MISTAKES = """
not_shrunk: _running_softmax_with(shrink=lambda old, new: 1.0)
    You add to the total and never bring it to the new maximum. When a larger score comes, the old
    total was made with another maximum: multiply it by exp(old - new) first.
grown: _running_softmax_with(shrink=lambda old, new: exp(new - old).nan_to_num(posinf=0.0))
or: _running_softmax_with(shrink=lambda old, new: 0.0 if old == -torch.inf else exp(new - old))
    You multiply the old total by exp(new - old), and it grows. The new maximum is the larger one,
    and what was there before must shrink: exp(old - new).
added_with_old_maximum: _running_softmax_with(add=lambda score, old, new: \
        exp(score - (new if old == -torch.inf else old)))
    You add exp(score - old maximum). The new key belongs to the new maximum like all others:
    exp(score - new).
added_unshifted: _running_softmax_with(add=lambda score, old, new: exp(score))
    You shrink the old total and add exp(score) without subtracting the maximum.
counts_keys: _running_softmax_with(add=lambda score, old, new: 1.0)
    You add 1 for each key. The key's share is exp(score - maximum), which is 1 only for the
    largest.
restarted: _running_softmax_with(shrink=lambda old, new: (old == new).to(old.dtype))
    You begin again at each larger score: what the earlier keys gave is lost. It shrinks, by exp(old
    - new), and stays.
starts_at_one: _running_softmax_with(start=1.0, shrink=lambda old, new: \
        1.0 if old == -torch.inf else exp(old - new))
    Your total is one too many at the start. Before the first key there is nothing: total 0 and
    maximum minus infinity.
maximum_from_zero: _running_softmax_with(first=0.0)
    Your maximum starts at 0, so it is wrong until a positive score comes. Start it at minus
    infinity, or at the first score.
last_key_only: _of_all
    You return what is known after the last key, at every place. Entry i should know the keys 0 to i
    only.
maximum_of_all: _with_last_maximum
or: _both_with_last_maximum
    Your totals use the maximum of all scores. After key i only the keys up to i are known, and the
    total belongs to their maximum.
never_shifted: _without_maximum
    Your totals are plain sums of exp(score). They must be relative to the maximum so far, or they
    overflow.
divided_at_the_end: _overflows
    You sum exp(score) and divide by exp(maximum). That is right on paper, and overflows where
    scores are large: subtract before the exponential.
one_key_late: _inclusive_shift
    Your entry i is what was known before key i. It should count key i too.
"""

MORE_MISTAKES = """
logarithm: lambda scores: (scores.cummax(dim=0).values, scores.logcumsumexp(dim=0))
    You return the logarithm of the sums. The total itself is asked for, relative to the maximum.
"""


# --- wrong versions -----------------------------------------------------------------------------


def _running_softmax_with(
    shrink=lambda old, new: exp(old - new),
    add=lambda score, old, new: exp(score - new),
    start=0.0,
    first=-torch.inf,
):
    """A loop over the keys that differs in one of its steps."""

    def version(scores):
        maximum, total = scores.new_tensor(first), scores.new_tensor(start)
        maxima, totals = [], []
        for score in scores:
            new = torch.maximum(maximum, score)
            total = total * shrink(maximum, new) + add(score, maximum, new)
            maximum = new
            maxima.append(maximum)
            totals.append(total)
        return torch.stack(maxima), torch.stack(totals)

    return version


def _of_all(scores):
    """What the last key leaves, for every key."""
    maximum, total = running_softmax(scores)
    return maximum[-1].expand_as(scores).clone(), total[-1].expand_as(scores).clone()


def _with_last_maximum(scores):
    return scores.cummax(dim=0).values, exp(scores - scores.max()).cumsum(dim=0)


def _both_with_last_maximum(scores):
    return scores.max().expand_as(scores).clone(), exp(scores - scores.max()).cumsum(dim=0)


def _without_maximum(scores):
    return scores.cummax(dim=0).values, exp(scores).cumsum(dim=0)


def _overflows(scores):
    maxima = scores.cummax(dim=0).values
    return maxima, exp(scores).cumsum(dim=0) / exp(maxima)


def _inclusive_shift(scores):
    """One key late: what was known before each key."""
    maxima, totals = running_softmax(scores)
    first = scores.new_zeros(1)
    return torch.cat((first - torch.inf, maxima[:-1])), torch.cat((first, totals[:-1]))


def _cases(*lengths):
    return lambda generator: [Case((2 * randn(generator, n),)) for n in lengths]


def _rising_and_falling(generator):
    numbers = randn(generator, 5).sort().values
    return [
        Case((numbers,), label="rising scores: the maximum changes at each key"),
        Case((numbers.flip(0),), label="falling scores: the maximum stays"),
        Case((tensor([1.0, 1.0, 1.0, 1.0]),), label="equal scores"),
    ]


def _large(generator):
    far = randn(generator, 6) + tensor([0.0, 0.0, 300.0, 0.0, 300.0, 600.0])
    return [
        Case((randn(generator, 4) + 500,), label="scores near 500"),
        Case((randn(generator, 4) - 500,), label="scores near -500"),
        Case((far,), label="scores that jump by 300"),
    ]


def _dtypes(generator):
    return [
        Case((randn(generator, 5, dtype=float64),)),
        Case(((randn(generator, 4) + 20).to(float16),), label="float16 scores near 20"),
    ]


EXERCISE = Exercise(
    lesson="12",
    number=1,
    reference=running_softmax,
    returns={"maximum": "the shape of scores", "total": "the shape of scores"},
    library=(merge, partial_softmax),
    properties=(
        Property(
            "after each key, maximum and total are those of the keys so far", 2, _cases(1, 3, 6)
        ),
        Property("it holds where scores rise, fall and are equal", 1, _rising_and_falling),
        Property("large scores, up or down, give finite and right totals", 1, _large),
        Property("float64 and float16 scores keep their dtype and are right", 1, _dtypes),
    ),
    mistakes=(
        MISTAKES,
        Mistake(
            "minimum",
            "You keep the smallest score instead of the largest, and the exponentials grow.",
            lambda scores: (
                scores.cummin(dim=0).values,
                exp(scores[None] - scores.cummin(dim=0).values[:, None]).tril().sum(dim=-1),
            ),
        ),
        Mistake(
            "divided",
            "You divide the totals by the number of keys. They are sums, not means.",
            lambda scores: (
                running_softmax(scores)[0],
                running_softmax(scores)[1]
                / torch.arange(1, len(scores) + 1, device=scores.device).to(scores.dtype),
            ),
        ),
        MORE_MISTAKES,
    ),
)
