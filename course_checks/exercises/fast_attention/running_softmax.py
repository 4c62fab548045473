"""Lesson 12, exercise 1: maximum and total of a softmax, after each key."""

from torch import exp, float16, float64, tensor

from course_checks.exercise import Case, Exercise, Property, randn
from course_lib.attention.online_softmax import merge, partial_softmax


def running_softmax(scores):
    maxima = scores.cummax(dim=0).values
    lower = exp(scores[None, :] - maxima[:, None]).tril()  # row i: the keys up to i
    return maxima, lower.sum(dim=-1)


MISTAKES = """
not_shrunk: exp(scores[None, :] - maxima[:, None]) -> exp(scores - maxima).expand(len(scores), -1)
    You never bring the total to the new maximum: multiply it by exp(old - new) first.
grown: scores[None, :] - maxima[:, None] -> scores - maxima + (maxima[:, None] - maxima)
or: exp(scores[None, :] - maxima[:, None]).tril() -> \
        exp(scores - maxima + (maxima[:, None] - maxima)).nan_to_num(posinf=0.0).tril()
    You multiply the old total by exp(new - old), and it grows. It must shrink: exp(old - new).
added_with_old_maximum: exp(scores[None, :] - maxima[:, None]) -> (exp(scores - \
        torch.cat((maxima[:1], maxima[:-1]))) * exp(maxima - maxima[:, None]))
    You add exp(score - old maximum). The new key too belongs to the new one: exp(score - new).
added_unshifted: exp(scores[None, :] - maxima[:, None]) -> \
                (exp(scores) * exp(maxima - maxima[:, None]))
    You shrink the old total and add exp(score) without subtracting the maximum.
counts_keys: scores[None, :] - maxima[:, None] -> maxima[None, :] - maxima[:, None]
    You add 1 for each key. Its share is exp(score - maximum), which is 1 for the largest.
restarted: .tril() -> .tril() * (maxima[None, :] == maxima[:, None])
    You begin again at each larger score. What came before shrinks, by exp(old - new), and stays.
starts_at_one: lower.sum(dim=-1) -> lower.sum(dim=-1) + exp(maxima[0] - maxima)
    Your total is one too many at the start. Before the first key it is 0.
maximum_from_zero: .values -> .values.clamp(min=0)
    Your maximum starts at 0, too high for negative scores. Start it at minus infinity.
last_key_only: return maxima, lower.sum(dim=-1) -> return maxima[-1].expand_as(scores).clone(), \
        lower.sum(dim=-1)[-1].expand_as(scores).clone()
    You return what is known after the last key, at every place. Entry i knows the keys 0 to i.
maximum_of_all: - maxima[:, None] -> - maxima[-1].expand(len(scores), 1)
or: .values -> .values[-1].expand_as(scores).clone()
    Your totals use the maximum of all scores. After key i only the keys up to i are known.
later_keys_too: exp(scores[None, :] - maxima[:, None]).tril() -> \
        exp(scores[None, :] - maxima[:, None]) * scores.new_ones(len(scores), len(scores)).tril()
    You take exponentials of later scores, far above the maximum so far: infinity, and times 0 NaN.
    Put minus infinity in their place first.
never_shifted: - maxima[:, None] -> - 0 * maxima[:, None]
    Your totals are plain sums of exp(score), which overflow: subtract the maximum so far.
divided_at_the_end: - maxima[:, None] -> - 0 * maxima[:, None] && lower.sum(dim=-1) -> \
                lower.sum(dim=-1) / exp(maxima)
    You divide by exp(maximum) at the end, and overflow before. Subtract before the exponential.
one_key_late: return maxima, lower.sum(dim=-1) -> first = scores.new_zeros(1); return \
        torch.cat((first - torch.inf, maxima[:-1])), torch.cat((first, lower.sum(dim=-1)[:-1]))
    Your entry i is what was known before key i. It should count key i too.
minimum: cummax -> cummin
    You keep the smallest score instead of the largest, and the exponentials grow.
divided: lower.sum(dim=-1) -> lower.sum(dim=-1) / scores.new_ones(len(scores)).cumsum(0)
    You divide the totals by the number of keys. They are sums, not means.
logarithm: lambda scores: (scores.cummax(dim=0).values, scores.logcumsumexp(dim=0))
    You return the logarithm of the sums. The total itself is asked for, relative to the maximum.
"""


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
        Case((randn(generator, 4) + 800,), label="scores near 800"),
        Case((randn(generator, 4) - 800,), label="scores near -800"),
        Case((far,), label="scores that jump by 300"),
    ]


def _dtypes(generator):
    return [
        Case((randn(generator, 5, dtype=float64),)),
        Case(((randn(generator, 4) + 20).to(float16),), label="float16 scores near 20"),
    ]


EXERCISE = Exercise(
    reference=running_softmax,
    returns={"maximum": "the shape of scores", "total": "the shape of scores"},
    library=(merge, partial_softmax),
    properties=(
        Property(
            "after each key, maximum and total are those of the keys so far", 2, _cases(1, 3, 6)
        ),
        Property("it holds where scores rise, fall and are equal", 1, _rising_and_falling),
        Property("large scores, up or down, give finite and right totals", 1, _large),
        Property("float64 and float16 scores are right as well", 1, _dtypes),
    ),
    mistakes=MISTAKES,
)
