"""Lesson 01, exercise 5: a test that tells right attention weights from wrong ones."""

import torch
from torch import allclose, nan

from course_lib.checks.exercise import Exercise, Property
from course_lib.checks.soft_lookup.weights_cases import (
    few_rows,
    negative,
    not_shared_out,
    over_queries,
)


def rows_sum_to_one(attention):
    for query_len, key_len in ((5, 3), (4, 4)):
        query, key, value = _inputs(query_len, key_len)
        weights = attention(query, key, value)[1]
        if (weights < 0).any() or not (weights.sum(dim=-1) - 1).abs().max() < 1e-4:
            return False
    return True


MISTAKES = """
accepts_everything: lambda attention: True
    Your test says True to every attention, wrong ones too. Does it look at the sums, or only at
    something that always holds, such as the shape?
rejects_everything: lambda attention: False
    Your test says False to every attention, right ones too. Is it the weights that you sum (the
    second answer), and do you compare each sum with 1?
wrong_axis: sum(dim=-1) -> sum(dim=-2)
    You sum over the queries, so your test asks for exactly the mistake it should catch. weights is
    (query_len, key_len): sum over the keys.
total_of_square: _total_is_number_of_queries(4, 4)
    You compare the sum (or the mean) of the whole matrix. With as many keys as queries, a softmax
    over the wrong axis has the same total.
total: _total_is_number_of_queries(5, 3)
    You compare the sum (or the mean) of all weights. One row that is too large and another that is
    too small cancel out: look at each row.
first_row_only: lambda attention: _are_one(_sums(attention)[0])
or: lambda attention: _are_one(_sums(attention)[-1])
    You look at one query only, such as the first. An attention may treat the others wrongly.
single_key: lambda attention: _are_one(_sums(attention, 5, 1))
    Your inputs have a single key. Then there is nothing to share out, and weights that were never
    divided by their sum look right.
saturated: lambda attention: _are_one(_sums(attention, factor=1000))
    Your scores are so large that every row is nearly one-hot. Then weights that were never divided
    by their sum look right as well: use smaller numbers.
single_query: lambda attention: _are_one(_sums(attention, 1, 4))
    Your inputs have a single query. Then the whole matrix is one row, and a softmax over everything
    looks right.
sums_alone: _sums_alone
    You look at the sums alone. Weights of 1.5 and -0.5 sum to 1 too, and are no shares: ask also
    that none is negative.
equal_inputs: lambda attention: _are_one(_sums(attention, 4, 4, factor=0))
    Your inputs make all scores equal, so all weights are equal, and with as many keys as queries a
    softmax over the wrong axis gives the same ones. Use random inputs.
exact: lambda attention: bool((_sums(attention, 64, 16) == 1).all())
    You ask for sums of exactly 1. Sums of floating-point numbers are off by about 1e-7: allow a
    small difference.
too_loose: lambda attention: _are_one(_sums(attention), atol=0.1)
or: lambda attention: _are_one(_sums(attention), atol=0.04)
or: lambda attention: _are_one(_sums(attention), atol=0.5)
    You allow too large a difference: rows that sum to 0.98 pass. Rounding in float32 needs about
    1e-5.
nan_passes: not (weights.sum(dim=-1) - 1).abs().max() < 1e-4 -> \
        (weights.sum(dim=-1) - 1).abs().max() > 1e-4
    Weights that are NaN pass your test, for no comparison with NaN is true. Ask whether each sum is
    near 1, and say False to all else.
asserts: _asserts
    Your test uses assert. Here it should answer: True when all is well, False when not.
signs_alone: _signs_alone
    You look at the signs alone. Weights that are 0 or more may still sum to anything: ask also that
    each row sums to 1.
one_of_both: _one_of_both
    Your test is content with one of two: sums of 1, or no negative weight. Shares need both: write
    and, where you wrote or.
some_row: _some_row
    Your test is content as soon as one row sums to 1 (any). All of them should.
too_small_passes: _one_sided(1, 5, 3)
or: _one_sided(1, 3, 5)
or: _one_sided(1, 4, 4)
    Rows that sum to less than 1 pass your test. A difference may be negative: take its absolute
    value before you compare it with a tolerance.
too_large_passes: _one_sided(-1, 5, 3)
or: _one_sided(-1, 3, 5)
or: _one_sided(-1, 4, 4)
    Rows that sum to more than 1 pass your test. A difference may be negative: take its absolute
    value before you compare it with a tolerance.
absolute_weights: (weights < 0).any() or -> && weights.sum -> weights.abs().sum
    You sum the absolute values, so that negative weights count as positive ones: look at the
    weights as they are.
zero_inputs: lambda attention: _are_one(_sums(attention, factor=0))
    Your inputs make all scores equal. Some wrong versions give equal shares then, like a right one:
    use random inputs.
turned_round: lambda attention: not rows_sum_to_one(attention)
    Your test says True where it should say False, and the other way round.
"""


def _inputs(query_len, key_len):
    shapes = ((query_len, 8), (key_len, 8), (key_len, 6))
    return tuple(torch.randn(shape) / 2 for shape in shapes)


# --- wrong tests --------------------------------------------------------------------------------


def _sums(attention, query_len=5, key_len=3, dim=-1, factor=1):
    """The sums of the weights; NaN, which equals nothing, where one of them is negative."""
    query, key, value = _inputs(query_len, key_len)
    weights = attention(factor * query, factor * key, value)[1]
    return weights.masked_fill(weights < 0, nan).sum(dim=dim)


def _are_one(sums, atol=1e-5):
    return allclose(sums, torch.ones_like(sums), atol=atol)


def _total_is_number_of_queries(query_len, key_len):
    return lambda attention: bool(
        (_sums(attention, query_len, key_len).sum() - query_len).abs() < 1e-3
    )


def _sums_alone(attention):
    return _are_one(attention(*_inputs(5, 3))[1].sum(dim=-1))


def _signs_alone(attention):
    return bool((attention(*_inputs(5, 3))[1] >= 0).all())


def _one_of_both(attention):
    return _sums_alone(attention) or _signs_alone(attention)


def _some_row(attention):
    return bool(((_sums(attention) - 1).abs() < 1e-4).any())


def _one_sided(sign, *lengths):
    """A version that leaves out the absolute value of the difference."""
    return lambda attention: bool((sign * (_sums(attention, *lengths) - 1) < 1e-4).all())


def _asserts(attention):
    assert _are_one(_sums(attention))


EXERCISE = Exercise(
    lesson="01",
    number=5,
    reference=rows_sum_to_one,
    returns={"its answer": "True or False"},
    kind="bool",
    properties=(
        Property("it tells right weights from a softmax over the queries", 1, over_queries),
        Property(
            "it tells them from weights that were never shared out row by row", 1, not_shared_out
        ),
        Property("it tells them from weights of which only some sums are wrong", 1, few_rows),
        Property("it tells them from weights below 0", 1, negative),
    ),
    mistakes=MISTAKES,
)
