"""Lesson 12, exercise 2: the results of two parts of the keys become one."""

import math

import torch
from torch import exp, maximum

from course_checks.exercise import Case, Exercise, Property, randn
from course_lib.attention.online_softmax import merge, partial_softmax


def merge_parts(first, second):
    (m1, t1, w1), (m2, t2, w2) = first, second
    new = maximum(m1, m2)
    shift = new.masked_fill(new == -math.inf, 0.0)
    a, b = exp(m1 - shift), exp(m2 - shift)
    return new, a * t1 + b * t2, a * w1 + b * w2


MISTAKES = """
only_added: a * t1 + b * t2, a * w1 + b * w2 -> t1 + t2, w1 + w2
    You add totals and weighted values as they are. Multiply each by exp(own maximum - larger
    maximum) first.
exchanged_factors: a, b = -> b, a =
or: a, b = -> b, a = && new.masked_fill(new == -math.inf, 0.0) -> new
    You multiply each part by the other's factor. The larger maximum's is exp(0), 1.
turned_round: exp(m1 - shift), exp(m2 - shift) -> \
        exp(shift - m1).nan_to_num(posinf=0.0), exp(shift - m2).nan_to_num(posinf=0.0)
or: exp(m1 - shift), exp(m2 - shift) -> exp(shift - m1), exp(shift - m2)
    Your factors are exp(larger - own), which grow. They must shrink: exp(own - larger).
first_maximum: maximum(m1, m2) -> m1
    You bring everything to the first part's maximum. If the second's is larger, its factor
    overflows: take the larger of both.
smaller_maximum: maximum( -> torch.minimum( || maximum(m1, m2) -> m1 + m2
or: return new, -> return m1 + m2, || return torch.minimum(m1, m2),
    The maximum that you take is the smaller one, or the sum. It is the larger of the two.
weighted_not_shrunk: a * w1 + b * w2 -> w1 + w2
or: a * w1 + b * w2 -> w1 + w2 && new.masked_fill(new == -math.inf, 0.0) -> new
    You add the weighted values as they are. They take the same factors as the totals.
total_not_shrunk: a * t1 + b * t2 -> t1 + t2
or: a * t1 + b * t2 -> t1 + t2 && new.masked_fill(new == -math.inf, 0.0) -> new
    You add the totals as they are. They take the same factors as the weighted values.
divided: a * w1 + b * w2 -> (a * w1 + b * w2) / (a * t1 + b * t2)
or: a * w1 + b * w2 -> (a * w1 + b * w2) / (a * t1 + b * t2) && \
        new.masked_fill(new == -math.inf, 0.0) -> new
or: a * w1 + b * w2 -> (a * w1 + b * w2) / (a * t1 + b * t2).clamp(min=1e-30)
    You divide the weighted values by the total. That is the last step: a part that is divided
    cannot be merged again.
mean_of_parts: a * t1 + b * t2, a * w1 + b * w2 -> (a * t1 + b * t2) / 2, (a * w1 + b * w2) / 2
or: a * t1 + b * t2, a * w1 + b * w2 -> (a * t1 + b * t2) / 2, (a * w1 + b * w2) / 2 && \
        new.masked_fill(new == -math.inf, 0.0) -> new
    You take the mean of the two parts. Totals and weighted values are sums: more keys, larger sums.
times_total: a * w1 + b * w2 -> a * t1 * w1 + b * t2 * w2
or: a * w1 + b * w2 -> a * t1 * w1 + b * t2 * w2 && new.masked_fill(new == -math.inf, 0.0) -> new
    You multiply each part's weighted values by its total. They were never divided.
larger_part_wins: a * t1 + b * t2, a * w1 + b * w2 -> \
                torch.where(m1 >= m2, t1, t2), torch.where(m1 >= m2, w1, w2)
    You keep the part with the larger maximum alone. The other counts too, by its factor.
overflows: exp(m1 - shift), exp(m2 - shift) -> exp(m1) / exp(new), exp(m2) / exp(new)
    You go back to sums of exp(score), which overflow. The factors exp(own - larger) never do.
minus_infinity_twice: new.masked_fill(new == -math.inf, 0.0) -> new
    Where no part has a key, -inf - (-inf) is nan. Subtract 0 there instead.
one_maximum_for_all: maximum(m1, m2) -> maximum(m1, m2).max().expand_as(m1)
    You take one maximum for all queries. Compare the two parts row by row.
zero_for_no_key: return new, -> return shift,
    Where no part has a key you return 0 as the maximum. It stays minus infinity.
"""


def part_of(generator, queries, keys, features, spread=2.0, shift=0.0):
    scores = spread * randn(generator, queries, keys) + shift
    return tuple(partial_softmax(scores, randn(generator, keys, features)))


def _cases(*sizes):
    return lambda generator: [
        Case(
            (part_of(generator, q, n1, d), part_of(generator, q, n2, d)),
            label=f"{q} queries, {n1} and {n2} keys, {d} features",
        )
        for q, n1, n2, d in sizes
    ]


def _far(generator):
    pairs = ((200.0, 0.0), (0.0, 200.0), (-800.0, -800.0), (800.0, 800.0))
    return [
        Case(
            (part_of(generator, 2, 3, 2, shift=shift), part_of(generator, 2, 3, 2, shift=later)),
            label=f"scores near {shift:.0f} and near {later:.0f}",
        )
        for shift, later in pairs
    ]


def _without_keys(generator):
    zeros = torch.zeros(2, 1, device="cpu")
    none = zeros - math.inf, zeros, torch.zeros(2, 2, device="cpu")
    part = part_of(generator, 2, 3, 2)
    mixed = tuple(
        torch.cat((full[:1], empty[1:]))
        for full, empty in zip(part_of(generator, 2, 3, 2), none, strict=True)
    )
    return [
        Case((part, none), label="the second part has no keys"),
        Case((none, part), label="the first part has no keys"),
        Case((none, mixed), label="one query has no key in either part"),
        Case(
            (mixed, mixed), label="one query has no key in either part, the other has some in both"
        ),
        Case((none, none), label="no part has keys"),
    ]


EXERCISE = Exercise(
    reference=merge_parts,
    returns={
        "maximum": "(query_len, 1)",
        "total": "(query_len, 1)",
        "weighted": "(query_len, value_dim)",
    },
    library=(merge,),
    properties=(
        Property(
            "both parts count, each brought to the larger maximum",
            3,
            _cases((1, 1, 1, 1), (2, 3, 3, 2), (3, 2, 5, 4)),
        ),
        Property("parts whose scores lie far apart, or far from 0, merge too", 1, _far),
        Property("a part without keys changes nothing", 1, _without_keys),
    ),
    mistakes=MISTAKES,
)
