"""Lesson 02, exercise 4: one whole head of self-attention, to be debugged."""

import math

import torch
from torch import eye, float64, ones_like, softmax

from course_checks.exercise import Exercise, Property, all_of
from course_checks.exercises.single_head.project_qkv import cases
from course_checks.judge.gradient import detached
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention


def single_head(x, w_query, w_key, w_value):
    query = x @ w_query.transpose(-2, -1)  # (..., seq_len, head_dim)
    key = x @ w_key.transpose(-2, -1)
    value = x @ w_value.transpose(-2, -1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])  # (..., seq_len, seq_len)
    weights = softmax(scores, dim=-1)
    return weights @ value, weights


MISTAKES = """
colleagues_head: _colleagues
    This is the colleague's head, with both of its mistakes: w_query makes query, key and value, and
    the scores are divided by sqrt(d_model), where the dot product runs over head_dim numbers.
one_matrix: w_key.transpose -> w_query.transpose && w_value.transpose -> w_query.transpose
    Query, key and value are all made by w_query. The score of i with j is then that of j with i,
    and a token's score with itself is the square of its length, never negative: each looks at
    itself, whatever the sentence is.
query_is_key: w_key.transpose -> w_query.transpose
    Query and key are made by the same matrix, w_query. The score of i with j is then that of j with
    i, and a token's score with itself is never negative: there is a strong diagonal whatever the
    sentence is.
value_from_key: w_value.transpose -> w_key.transpose
    Your weights are right; the value is made by w_key instead of w_value.
value_is_x: weights @ value -> weights @ x
    Your weights are right, and your output averages the tokens themselves: x has to pass through
    w_value first.
query_key_exchanged: query @ key.transpose -> key @ query.transpose
    Query and key have changed places: row i should belong to the query of token i.
no_scale: / math.sqrt(query.shape[-1]) ->
evidence: largest("weights")
    Your scores are not divided by sqrt(head_dim): the softmax becomes too hard.
whole_root: math.sqrt(query.shape[-1]) -> math.isqrt(query.shape[-1])
    math.isqrt rounds the root down to a whole number. math.sqrt does not.
scaled_by_d_model: query.shape[-1] -> x.shape[-1]
evidence: largest("weights")
    You divide the scores by sqrt(d_model). The dot product runs over head_dim numbers, and that is
    what the scale has to undo.
softmax_over_queries: dim=-1 -> dim=-2
evidence: column_sums()
    Your softmax runs over the queries instead of the keys: it is the rows that have to sum to 1.
no_softmax: softmax(scores, dim=-1) -> scores
evidence: row_sum()
    Your weights are the scores themselves: the softmax is missing.
dimension_one: dim=-1 -> dim=1
    Your softmax runs over dimension 1. That is right for a matrix; with a batch in front, dimension
    1 belongs to the queries. Count from the end: dim=-1.
scores_returned: value, weights -> value, scores
    Your output is right, and what you return beside it are the scores, not the weights.
weights_transposed: return weights @ -> return weights.transpose(-2, -1) @
    Your weights are right, and they are transposed before they meet the values: each output then
    mixes the values with the weights of a column, not of its own row.
swapped: return weights @ value, weights -> return weights, weights @ value
    The two answers are in the other order: the output comes first, then the weights.
value_from_query: w_value.transpose -> w_query.transpose
    Your weights are right; the value is still made by w_query instead of w_value.
key_value_exchanged: w_value.transpose -> w_key.transpose && w_key.transpose -> w_value.transpose
    Key and value have changed places: the matrix of each makes the other.
multiplied: / math.sqrt -> * math.sqrt
evidence: largest("weights")
    You multiply the scores by sqrt(head_dim). Divide by it: they are too large as they are.
no_square_root: math.sqrt(query.shape[-1]) -> query.shape[-1]
evidence: largest("weights")
    You divide by head_dim without the square root. The scores become too small and the weights too
    even.
root_of_length: query.shape[-1] -> x.shape[-2]
evidence: largest("weights")
    You divide by the square root of the number of tokens. The scale belongs to the length of the
    vectors, head_dim; how many tokens there are plays no part.
constant: math.sqrt(query.shape[-1]) -> 4 || 8 || 16
    You divide the scores by the same number whatever the sizes are: take head_dim from the shape of
    the query.
scaled_after: / math.sqrt(query.shape[-1]) -> && \
        softmax(scores, dim=-1) -> softmax(scores, dim=-1) / math.sqrt(query.shape[-1])
evidence: row_sum()
    You divide the weights by sqrt(head_dim), after the softmax. They no longer sum to 1: the scale
    belongs to the scores.
itself_hidden: softmax(scores, dim=-1) -> _without_itself(scores, -1e9) || \
        _without_itself(scores, -math.inf)
    You hide the diagonal. That cures the symptom: a token may look at itself, and the diagonal was
    strong because query and key were made by one matrix.
causal: softmax(scores, dim=-1) -> _causal(scores)
    You hide the later tokens. Nobody asked for a causal mask here: every token sees all.
first_sentence: softmax(scores, dim=-1) -> _of_the_first(scores)
    All sentences of the batch get the weights of the first one. Each has its own.
"""


def _head_dim_over_d_model(weight):
    return math.sqrt(weight.shape[0] / weight.shape[1])


def _colleagues(x, w_query, w_key, w_value):
    factor = _head_dim_over_d_model(w_query)
    weights = single_head(x, w_query * factor, w_query, w_query)[1]
    return weights @ (x @ w_query.transpose(-2, -1)), weights


def _without_itself(scores, number):
    own = eye(scores.shape[-1], dtype=torch.bool, device=scores.device)
    return softmax(scores.masked_fill(own, number), dim=-1)


def _causal(scores):
    later = ones_like(scores).triu(1).bool()
    return softmax(scores.masked_fill(later, -math.inf), dim=-1)


def _of_the_first(scores):
    weights = softmax(scores, dim=-1)
    return weights[:1].expand(weights.shape) if weights.dim() > 2 else weights


EXERCISE = Exercise(
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
            all_of(
                cases(((2, 3, 4), 2), ((1, 1, 3), 2), ((2, 2, 3, 5), 5)),
                cases(((3, 4), 2), dtype=float64),
            ),
        ),
        Property(
            "gradients reach the tokens and all three matrices", 1, gradient=cases(((2, 3, 4), 2))
        ),
    ),
    stretched="w_query",
    mistakes=(MISTAKES, detached("x", "w_query", "w_key", "w_value")),
)
