"""Lesson 01, exercise 5: a test that tells right attention weights from wrong ones."""

import torch

from course_checks.exercise import Exercise, Property
from course_checks.exercises.soft_lookup.weights_cases import (
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
    Your test says True to every attention. Does it look at the sums, or only at something that
    always holds, such as the shape?
rejects_everything: lambda attention: False
    Your test says False to every attention. Is it the weights that you sum (the second answer), and
    do you compare each sum with 1?
wrong_axis: sum(dim=-1) -> sum(dim=-2)
    You sum over the queries, and ask for the mistake that you should catch. Sum over the keys.
total_of_square: ((5, 3), (4, 4)) -> ((4, 4),) && (weights.sum(dim=-1) - 1).abs().max() < 1e-4 -> \
                abs(weights.sum() - query_len) < 1e-3
    You compare the sum (or the mean) of the whole matrix. With as many keys as queries, a softmax
    over the wrong axis has the same.
total: ((5, 3), (4, 4)) -> ((5, 3),) && (weights.sum(dim=-1) - 1).abs().max() < 1e-4 -> \
                abs(weights.sum() - query_len) < 1e-3
    You compare the sum (or the mean) of all weights. Rows that are too large and too small cancel
    out.
first_row_only: ((5, 3), (4, 4)) -> ((5, 3),) && attention(query, key, value)[1] -> \
                attention(query, key, value)[1][:1]
or: ((5, 3), (4, 4)) -> ((5, 3),) && attention(query, key, value)[1] -> \
                attention(query, key, value)[1][-1:]
    You look at one query only, such as the first. An attention may treat the others wrongly.
single_key: ((5, 3), (4, 4)) -> ((5, 1),)
    Your inputs have a single key. Weights that were never divided by their sum look right then.
saturated: ((5, 3), (4, 4)) -> ((5, 3),) && attention(query, key, value) -> \
                attention(1000 * query, 1000 * key, value)
    Your scores are so large that every row is nearly one-hot, and hides a missing division: use
    smaller numbers.
single_query: ((5, 3), (4, 4)) -> ((1, 4),)
    Your inputs have a single query. A softmax over the whole matrix looks right then.
sums_alone: ((5, 3), (4, 4)) -> ((5, 3),) && (weights < 0).any() or ->
    You look at the sums alone. Weights of 1.5 and -0.5 are no shares: ask that none is negative.
equal_inputs: ((5, 3), (4, 4)) -> ((4, 4),) && attention(query, key, value) -> \
                attention(0 * query, 0 * key, value)
or: ((5, 3), (4, 4)) -> ((5, 3),) && \
        attention(query, key, value) -> attention(0 * query, 0 * key, value)
    Your inputs make all scores equal, and some wrong versions give equal shares then, like a right
    one. Use random inputs.
exact: ((5, 3), (4, 4)) -> ((64, 16),) && (weights.sum(dim=-1) - 1).abs().max() < 1e-4 -> \
                (weights.sum(dim=-1) == 1).all()
    You ask for sums of exactly 1. Rounding makes about 1e-7: allow a small difference.
too_loose: ((5, 3), (4, 4)) -> ((5, 3),) && 1e-4 -> 0.1 || ((5, 3), (4, 4)) -> ((5, 3),) && \
        1e-4 -> 0.5 || ((5, 3), (4, 4)) -> ((5, 3),) && 1e-4 -> 0.04
    You allow too large a difference: rows that sum to 0.98 pass. Rounding needs about 1e-5.
asserts: return False -> raise AssertionError && return True -> return
    Your test uses assert. Here it should answer: True when all is well, False when not.
signs_alone: or not (weights.sum(dim=-1) - 1).abs().max() < 1e-4 ->
    You look at the signs alone. Ask also that each row sums to 1.
one_of_both: ((5, 3), (4, 4)) -> ((5, 3),) && any() or not -> any() and not
    Your test is content with one of two: sums of 1, or no negative weight. Write and, not or.
some_row: ((5, 3), (4, 4)) -> ((5, 3),) && .abs().max() -> .abs().min()
    Your test is content as soon as one row sums to 1 (any). All of them should.
too_small_passes: ((5, 3), (4, 4)) -> ((5, 3),) && .abs().max() -> .max()
or: ((5, 3), (4, 4)) -> ((3, 5),) && .abs().max() -> .max()
or: ((5, 3), (4, 4)) -> ((4, 4),) && .abs().max() -> .max()
    Rows that sum to less than 1 pass your test. Take the absolute value of the difference.
too_large_passes: ((5, 3), (4, 4)) -> ((5, 3),) && weights.sum(dim=-1) - 1).abs() -> \
                1 - weights.sum(dim=-1))
or: ((5, 3), (4, 4)) -> ((3, 5),) && weights.sum(dim=-1) - 1).abs() -> 1 - weights.sum(dim=-1))
or: ((5, 3), (4, 4)) -> ((4, 4),) && weights.sum(dim=-1) - 1).abs() -> 1 - weights.sum(dim=-1))
    Rows that sum to more than 1 pass your test. Take the absolute value of the difference.
absolute_weights: (weights < 0).any() or -> && weights.sum -> weights.abs().sum
    You sum the absolute values, and negative weights count as positive ones.
turned_round: lambda attention: not rows_sum_to_one(attention)
    Your test says True where it should say False, and the other way round.
"""


def _inputs(query_len, key_len):
    shapes = ((query_len, 8), (key_len, 8), (key_len, 6))
    return tuple(torch.randn(shape) / 2 for shape in shapes)


EXERCISE = Exercise(
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
