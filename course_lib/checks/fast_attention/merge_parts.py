"""Lesson 12, exercise 2: the results of two parts of the keys become one."""

import math

import torch
from torch import exp, maximum

from course_lib.attention.online_softmax import merge, partial_softmax
from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn


def merge_parts(first, second):
    (m1, t1, w1), (m2, t2, w2) = first, second
    new = maximum(m1, m2)
    shift = new.masked_fill(new == -math.inf, 0.0)
    a, b = exp(m1 - shift), exp(m2 - shift)
    return new, a * t1 + b * t2, a * w1 + b * w2


# --- wrong versions -----------------------------------------------------------------------------


def _merge_parts_with(
    factors=lambda m1, m2, new: (exp(m1 - new), exp(m2 - new)),
    new_of=maximum,
    total=lambda a, b, t1, t2: a * t1 + b * t2,
    weighted=lambda a, b, w1, w2, t1, t2: a * w1 + b * w2,
    is_safe=True,
):
    """A version that differs in one of its steps."""

    def version(first, second):
        (m1, t1, w1), (m2, t2, w2) = first, second
        new = new_of(m1, m2)
        shift = new.masked_fill(new == -math.inf, 0.0) if is_safe else new
        a, b = factors(m1, m2, shift)
        return new, total(a, b, t1, t2), weighted(a, b, w1, w2, t1, t2)

    return version


def _with_and_without_guard(**changes):
    """The version, and the same where a part without keys makes nan."""
    return {
        "wrong": _merge_parts_with(**changes),
        "also": (_merge_parts_with(is_safe=False, **changes),),
    }


def _one(*_):
    return 1.0, 1.0


def _overflowing(first, second):
    """Back to sums without a maximum, and forth."""
    (m1, t1, w1), (m2, t2, w2) = first, second
    new = maximum(m1, m2)
    t, w = exp(m1) * t1 + exp(m2) * t2, exp(m1) * w1 + exp(m2) * w2
    return new, t / exp(new), w / exp(new)


def _second_where_larger(first, second):
    """The part with the larger maximum wins, the other is lost."""
    wins = first[0] >= second[0]
    return tuple(torch.where(wins, one, other) for one, other in zip(first, second, strict=True))


def part_of(generator, queries, keys, features, spread=2.0, shift=0.0):
    scores = spread * randn(generator, queries, keys) + shift
    return tuple(partial_softmax(scores, randn(generator, keys, features)))


def _cases(*sizes):
    def make(generator):
        return [
            Case(
                (part_of(generator, q, n1, d), part_of(generator, q, n2, d)),
                label=f"{q} queries, {n1} and {n2} keys, {d} features",
            )
            for q, n1, n2, d in sizes
        ]

    return make


def _far(generator):
    pairs = ((200.0, 0.0), (0.0, 200.0), (-300.0, -300.0), (300.0, 300.0))
    return [
        Case(
            (
                part_of(generator, 2, 3, 2, shift=one),
                part_of(generator, 2, 3, 2, shift=other),
            ),
            label=f"scores near {one:.0f} and near {other:.0f}",
        )
        for one, other in pairs
    ]


def _nothing(queries, features):
    zeros = torch.zeros(queries, 1, device="cpu")
    return zeros - math.inf, zeros, torch.zeros(queries, features, device="cpu")


def _without_keys(generator):
    part, none = part_of(generator, 2, 3, 2), _nothing(2, 2)
    mixed = tuple(
        torch.cat((one[:1], other[1:]))
        for one, other in zip(part_of(generator, 2, 3, 2), none, strict=True)
    )
    return [
        Case((part, none), label="the second part has no keys"),
        Case((none, part), label="the first part has no keys"),
        Case((none, mixed), label="one query has no key in either part"),
        Case((none, none), label="no part has keys"),
    ]


EXERCISE = Exercise(
    lesson="12",
    number=2,
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
    mistakes=(
        Mistake(
            "only_added",
            "You add totals and weighted values as they are. Each was made with its own maximum: "
            "multiply by exp(own maximum - larger maximum) first.",
            _merge_parts_with(factors=_one),
        ),
        Mistake(
            "exchanged_factors",
            "You multiply each part by the other's factor. The part with the larger maximum keeps "
            "its size: its factor is exp(0), 1.",
            **_with_and_without_guard(factors=lambda m1, m2, new: (exp(m2 - new), exp(m1 - new))),
        ),
        Mistake(
            "turned_round",
            "Your factors are exp(larger - own), so the part with the smaller maximum grows. It "
            "must shrink: exp(own - larger).",
            _merge_parts_with(
                factors=lambda m1, m2, new: (
                    exp(new - m1).nan_to_num(posinf=0.0),
                    exp(new - m2).nan_to_num(posinf=0.0),
                )
            ),
            also=(_merge_parts_with(factors=lambda m1, m2, new: (exp(new - m1), exp(new - m2))),),
        ),
        Mistake(
            "first_maximum",
            "You bring everything to the first part's maximum. If the second has the larger one, "
            "its factor is huge and overflows: take the larger of both.",
            _merge_parts_with(new_of=lambda m1, m2: m1),
        ),
        Mistake(
            "smaller_maximum",
            "You take the smaller of the two maxima. The factors then grow, and overflow.",
            _merge_parts_with(new_of=torch.minimum),
        ),
        Mistake(
            "sum_of_maxima",
            "You add the two maxima. The maximum of all keys is the larger one.",
            _merge_parts_with(new_of=lambda m1, m2: m1 + m2),
        ),
        Mistake(
            "weighted_not_shrunk",
            "You bring the totals to the larger maximum and add the weighted values as they are. "
            "Both take the same factor.",
            **_with_and_without_guard(weighted=lambda a, b, w1, w2, t1, t2: w1 + w2),
        ),
        Mistake(
            "total_not_shrunk",
            "You bring the weighted values to the larger maximum and add the totals as they are. "
            "Both take the same factor.",
            **_with_and_without_guard(total=lambda a, b, t1, t2: t1 + t2),
        ),
        Mistake(
            "divided",
            "You divide the weighted values by the total. That is the last step, when all keys "
            "have been seen: a part that is divided cannot be merged again.",
            **_with_and_without_guard(
                weighted=lambda a, b, w1, w2, t1, t2: (a * w1 + b * w2) / (a * t1 + b * t2)
            ),
        ),
        Mistake(
            "mean_of_parts",
            "You take the mean of the two parts. Totals and weighted values are sums: more keys, "
            "larger sums.",
            **_with_and_without_guard(
                total=lambda a, b, t1, t2: (a * t1 + b * t2) / 2,
                weighted=lambda a, b, w1, w2, t1, t2: (a * w1 + b * w2) / 2,
            ),
        ),
        Mistake(
            "times_total",
            "You multiply each part's weighted values by its total. They were never divided: only "
            "the factor of the maximum is missing.",
            **_with_and_without_guard(
                weighted=lambda a, b, w1, w2, t1, t2: a * t1 * w1 + b * t2 * w2
            ),
        ),
        Mistake(
            "larger_part_wins",
            "You keep the part with the larger maximum and forget the other. The other counts too, "
            "with the factor exp(its maximum - the larger).",
            _second_where_larger,
        ),
        Mistake(
            "overflows",
            "You go back to sums of exp(score), which overflow where scores are large. The factors "
            "exp(own - larger) are at most 1, and never do.",
            _overflowing,
        ),
        Mistake(
            "minus_infinity_twice",
            "Where no part has a key, both maxima are minus infinity, and -inf - (-inf) is nan. "
            "Subtract 0 there instead.",
            _merge_parts_with(is_safe=False),
        ),
    ),
)
