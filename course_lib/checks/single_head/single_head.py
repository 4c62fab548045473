"""Lesson 02, exercise 4: one whole head of self-attention, to be debugged."""

import math

import torch
from torch import exp, eye, float64, ones_like, softmax

from course_lib.attention.scaled_dot_product import scaled_dot_product_attention
from course_lib.checks.exercise import Exercise, Mistake, Property
from course_lib.checks.judge.gradient import cut_off, gradient_fault
from course_lib.checks.judge.observations import column_sums, largest, row_sum, total
from course_lib.checks.single_head.project_qkv import cases


def single_head(x, w_query, w_key, w_value):
    query = x @ w_query.transpose(-2, -1)  # (..., seq_len, head_dim)
    key = x @ w_key.transpose(-2, -1)
    value = x @ w_value.transpose(-2, -1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (..., seq_len, seq_len)
    weights = softmax(scores, dim=-1)
    return weights @ value, weights


def _reordered(*order):
    """A version that uses its matrices in another order: 0 query, 1 key, 2 value."""
    return lambda x, *weights: single_head(x, *(weights[i] for i in order))


def _scores_times(factor_of):
    """A version with another scale, by way of the query's matrix."""
    return lambda x, w_query, *others: single_head(x, w_query * factor_of(w_query), *others)


def _with_weights(weights_of):
    """A version whose weights come from the scores in another way."""

    def version(x, w_query, w_key, w_value):
        query, key = x @ w_query.transpose(-2, -1), x @ w_key.transpose(-2, -1)
        weights = weights_of(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]))
        return weights @ (x @ w_value.transpose(-2, -1)), weights

    return version


def _head_dim_over_d_model(weight):
    return math.sqrt(weight.shape[0] / weight.shape[1])


def _colleagues(x, w_query, w_key, w_value):
    factor = _head_dim_over_d_model(w_query)
    weights = single_head(x, w_query * factor, w_query, w_query)[1]
    return weights @ (x @ w_query.transpose(-2, -1)), weights


def _scores_as_weights(x, w_query, w_key, w_value):
    scores = _with_weights(lambda scores: scores)(x, w_query, w_key, w_value)[1]
    return single_head(x, w_query, w_key, w_value)[0], scores


def _weights_transposed(x, w_query, w_key, w_value):
    weights = single_head(x, w_query, w_key, w_value)[1]
    return weights.transpose(-2, -1) @ (x @ w_value.transpose(-2, -1)), weights


def _divided_by(divisor_of):
    """A version that divides the dot products by ``divisor_of(x, w_query)``."""

    def version(x, w_query, *others):
        return single_head(x, w_query * (math.sqrt(len(w_query)) / divisor_of(x, w_query)), *others)

    return version


def _unscaled(scores_to_weights):
    """A version whose weights come from the dot products before the scale, and head_dim."""

    def version(x, w_query, w_key, w_value):
        query, key = x @ w_query.transpose(-2, -1), x @ w_key.transpose(-2, -1)
        weights = scores_to_weights(query @ key.transpose(-2, -1), query.shape[-1])
        return weights @ (x @ w_value.transpose(-2, -1)), weights

    return version


def _without_itself(scores):
    own = eye(scores.shape[-1], dtype=torch.bool, device=scores.device)
    return softmax(scores.masked_fill(own, -1e9), dim=-1)


def _causal(scores):
    later = ones_like(scores).triu(1).bool()
    return softmax(scores.masked_fill(later, -math.inf), dim=-1)


def _of_the_first(scores):
    weights = softmax(scores, dim=-1)
    return weights[:1].expand(weights.shape) if weights.dim() > 2 else weights


def _detached(*args):
    return tuple(part.detach() for part in single_head(*args))


def _learns(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    return gradient_fault(EXERCISE, function, cases(((2, 3, 4), 2))(generator))


def _value_is_x(x, w_query, w_key, w_value):
    weights = single_head(x, w_query, w_key, w_value)[1]
    return weights @ x, weights


EXERCISE = Exercise(
    lesson="02",
    number=4,
    reference=single_head,
    returns={"output": "(..., seq_len, head_dim)", "weights": "(..., seq_len, seq_len)"},
    library=(scaled_dot_product_attention,),
    properties=(
        Property(
            "the weights are the softmax of query times key over sqrt(head_dim)",
            2,
            cases(((3, 4), 2), ((3, 4), 4), ((4, 8), 3)),
            only="weights",
        ),
        Property(
            "the output is the average of the values, with these weights",
            1,
            cases(((3, 4), 2), ((3, 4), 4), ((4, 8), 3)),
            only="output",
        ),
        Property(
            "the same holds with leading dimensions, and in float64",
            1,
            lambda generator: (
                cases(((2, 3, 4), 2), ((1, 1, 3), 2), ((2, 2, 3, 5), 5))(generator)
                + cases(((3, 4), 2), dtype=float64)(generator)
            ),
        ),
        Property("gradients reach the tokens and all three matrices", 1, judge=_learns),
    ),
    mistakes=(
        Mistake(
            "colleagues_head",
            "This is the colleague's head, with both of its mistakes: w_query makes query, key and "
            "value, and the scores are divided by sqrt(d_model), where the dot product runs over "
            "head_dim numbers.",
            _colleagues,
        ),
        Mistake(
            "one_matrix",
            "Query, key and value are all made by w_query. The score of i with j is then "
            "that of j with i, and a token's score with itself is the square of its length, never "
            "negative: each looks at itself, whatever the sentence is.",
            _reordered(0, 0, 0),
        ),
        Mistake(
            "query_is_key",
            "Query and key are made by the same matrix, w_query. The score of i with j is "
            "then that of j with i, and a token's score with itself is never negative: there is a "
            "strong diagonal whatever the sentence is.",
            _reordered(0, 0, 2),
        ),
        Mistake(
            "value_from_key",
            "Your weights are right; the value is made by w_key instead of w_value.",
            _reordered(0, 1, 1),
        ),
        Mistake(
            "value_is_x",
            "Your weights are right, and your output averages the tokens themselves: x has to pass "
            "through w_value first.",
            _value_is_x,
        ),
        Mistake(
            "query_key_exchanged",
            "Query and key have changed places: row i should belong to the query of token i.",
            _reordered(1, 0, 2),
        ),
        Mistake(
            "no_scale",
            "Your scores are not divided by sqrt(head_dim): the softmax becomes too hard.",
            _scores_times(lambda w: math.sqrt(w.shape[0])),
            largest("weights"),
        ),
        Mistake(
            "scaled_by_d_model",
            "You divide the scores by sqrt(d_model). The dot product runs over head_dim numbers, "
            "and that is what the scale has to undo.",
            _scores_times(_head_dim_over_d_model),
            largest("weights"),
        ),
        Mistake(
            "softmax_over_queries",
            "Your softmax runs over the queries instead of the keys: it is the rows that have to "
            "sum to 1.",
            _with_weights(lambda scores: softmax(scores, dim=-2)),
            column_sums(),
        ),
        Mistake(
            "no_softmax",
            "Your weights are the scores themselves: the softmax is missing.",
            _with_weights(lambda scores: scores),
            row_sum(),
        ),
        Mistake(
            "dimension_one",
            "Your softmax runs over dimension 1. That is right for a matrix; with a batch in "
            "front, dimension 1 belongs to the queries. Count from the end: dim=-1.",
            _with_weights(lambda scores: softmax(scores, dim=1)),
        ),
        Mistake(
            "over_everything",
            "You divide by the sum of the whole table, so all tokens share a total of 1. Each row "
            "has its own 1 to share out.",
            _with_weights(lambda scores: exp(scores) / exp(scores).sum()),
            total(),
        ),
        Mistake(
            "scores_returned",
            "Your output is right, and what you return beside it are the scores, not the weights.",
            _scores_as_weights,
        ),
        Mistake(
            "weights_transposed",
            "Your weights are right, and they are transposed before they meet the values: each "
            "output then mixes the values with the weights of a column, not of its own row.",
            _weights_transposed,
        ),
        Mistake(
            "swapped",
            "The two answers are in the other order: the output comes first, then the weights.",
            lambda *args: single_head(*args)[::-1],
        ),
        Mistake(
            "value_from_query",
            "Your weights are right; the value is still made by w_query instead of w_value.",
            _reordered(0, 1, 0),
        ),
        Mistake(
            "key_value_exchanged",
            "Key and value have changed places: the matrix of each makes the other.",
            _reordered(0, 2, 1),
        ),
        Mistake(
            "multiplied",
            "You multiply the scores by sqrt(head_dim). Divide by it: they are too large as they "
            "are.",
            _scores_times(lambda w: w.shape[0]),
            largest("weights"),
        ),
        Mistake(
            "no_square_root",
            "You divide by head_dim without the square root. The scores become too small and the "
            "weights too even.",
            _divided_by(lambda x, w: len(w)),
            largest("weights"),
        ),
        Mistake(
            "root_of_length",
            "You divide by the square root of the number of tokens. The scale belongs to the "
            "length of the vectors, head_dim; how many tokens there are plays no part.",
            _divided_by(lambda x, w: math.sqrt(x.shape[-2])),
            largest("weights"),
        ),
        Mistake(
            "constant",
            "You divide the scores by the same number whatever the sizes are: take head_dim from "
            "the shape of the query.",
            _divided_by(lambda x, w: 4),
            also=(_divided_by(lambda x, w: 8), _divided_by(lambda x, w: 16)),
        ),
        Mistake(
            "scaled_after",
            "You divide the weights by sqrt(head_dim), after the softmax. They no longer sum to 1: "
            "the scale belongs to the scores.",
            _unscaled(lambda dots, size: softmax(dots, dim=-1) / math.sqrt(size)),
            row_sum(),
        ),
        Mistake(
            "itself_hidden",
            "You hide the diagonal. That cures the symptom: a token may look at itself, and the "
            "diagonal was strong because query and key were made by one matrix.",
            _with_weights(_without_itself),
        ),
        Mistake(
            "causal",
            "You hide the later tokens. Nobody asked for a causal mask here: every token sees all.",
            _with_weights(_causal),
        ),
        Mistake(
            "first_sentence",
            "All sentences of the batch get the weights of the first one. Each has its own.",
            _with_weights(_of_the_first),
        ),
        Mistake("cut_off", cut_off("x", "w_query", "w_key", "w_value"), _detached),
    ),
)
