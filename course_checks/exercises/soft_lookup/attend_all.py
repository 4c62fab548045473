"""Lesson 01, exercise 2: all queries at once, without a loop."""

from torch import float64, softmax

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_checks.judge.source import no_loop
from course_lib.attention.scaled_dot_product import scaled_dot_product_attention


def attend_all(query, key, value):
    scores = query @ key.transpose(-2, -1)  # (query_len, key_len)
    weights = softmax(scores, dim=-1)
    return weights @ value, weights  # (query_len, value_dim)


MISTAKES = """
not_transposed: key.transpose(-2, -1) -> key || key.reshape(key.shape[::-1])
    Query and key meet with their numbers mixed. Transpose the keys, so that the two d meet: key.T.
    A reshape keeps the order in memory and mixes the numbers.
softmax_over_queries: dim=-1 -> dim=0
evidence: column_sums()
    Your softmax runs over the queries. Each query shares out its own weight: each row must sum to
    1.
softmax_over_all: softmax(scores, dim=-1) -> softmax(scores.flatten(), dim=0).view(scores.shape)
evidence: total()
    Your softmax runs over the whole matrix at once. Every query has its own 1 to share out.
no_softmax: softmax(scores, dim=-1) -> scores
evidence: row_sum()
    Your weights are the raw dot products: the softmax is missing.
not_normalised: softmax(scores, dim=-1) -> scores.exp()
evidence: row_sum()
    You take the exponential of the scores and stop there: divide each row by its own sum.
scaled: key.transpose(-2, -1) -> key.transpose(-2, -1) / query.shape[-1] ** 0.5
evidence: largest("weights")
    You divide the scores by sqrt(d). That comes in lesson 02; here they are the plain dot products.
roles_exchanged: query @ key.transpose(-2, -1) -> key @ query.transpose(-2, -1)
or: query @ key.transpose(-2, -1) -> key @ query.transpose(-2, -1) && \
        weights @ -> weights.transpose(-2, -1) @
    Queries and keys have changed places. Row i should hold the dot products of query i with every
    key.
swapped: weights @ value, weights -> weights, weights @ value
    The two answers are in the other order: the output comes first, then the weights.
keys_averaged: weights @ value -> weights @ key
    Your weights are right, and your output averages the keys. What is handed back are the values.
plain_mean: weights @ value -> value.mean(dim=0).expand(len(query), -1)
    Your weights are right, and your output does not use them: it is the plain mean of the values.
weights_transposed: weights @ value -> weights.transpose(-2, -1) @ value
    Your weights are right, and transposed before they meet the values: each output mixes with the
    weights of a column.
weights_returned_transposed: value, weights -> value, weights.transpose(0, 1)
    Your output is right, and the weights that you return are transposed: (query_len, key_len).
logarithms: value, weights -> value, weights.log()
    You return the logarithm of the weights. The weights themselves are asked for.
shares_of_scores: softmax(scores, dim=-1) -> _shares(scores) || _shares(scores.abs()) || \
        _shares(scores.clamp(min=0)) || _shares(scores**2)
    You divide by the sum of the row, and there is no exponential before it. exp makes every number
    positive first.
keepdim_missing: softmax(scores, dim=-1) -> scores.exp() / scores.exp().sum(dim=-1)
    You divide by the sums of the rows without keepdim=True, and the sum of row i meets column i.
softmax_twice: softmax(scores, dim=-1) -> softmax(softmax(scores, dim=-1), dim=-1)
evidence: largest("weights")
    You take the softmax of the weights once more, and it makes them nearly equal.
softmax_again_for_output: weights @ value -> softmax(weights, dim=-1) @ value
    Your weights are right, and the output mixes the values with their softmax, a second one.
sigmoid: softmax(scores, dim=-1) -> torch.sigmoid(scores)
evidence: row_sum()
    You take the sigmoid of each score by itself. The keys of a query have to share: softmax.
hard_lookup: softmax(scores, dim=-1) -> F.one_hot(scores.argmax(dim=-1), len(key)).to(scores.dtype)
    All the weight goes to the best key. Here every key takes part, as much as the softmax says.
cosine: query @ key -> F.normalize(query, dim=-1) @ F.normalize(key, dim=-1)
    You bring queries and keys to length 1. The score of this lesson is the plain dot product.
first_query_for_all: softmax(scores, dim=-1) -> softmax(scores[:1], dim=-1).expand(scores.shape)
    All your queries get the weights of the first one. Row i belongs to query i.
scaled_output: weights @ value -> softmax(scores / query.shape[-1] ** 0.5, dim=-1) @ value
    Your weights are right, and your output was made with scores divided by sqrt(d). torch's
    scaled_dot_product_attention divides unless it is given scale=1.0.
output_alone: value, weights -> value
    You return the output alone. The weights belong to the answer as well.
"""
# (query_len, value_dim)


def _cases(*sizes, dtype=None):
    """(query_len, key_len, d, value_dim) each."""

    return lambda generator: [
        Case(
            tuple(
                (0.8 * randn(generator, *shape)).to(dtype)
                for shape in ((queries, d), (keys, d), (keys, d_v))
            )
        )
        for queries, keys, d, d_v in sizes
    ]


def _shares(numbers):
    """What never takes an exponential."""
    return numbers / numbers.sum(dim=-1, keepdim=True)


EXERCISE = Exercise(
    reference=attend_all,
    returns={"output": "(query_len, value_dim)", "weights": "(query_len, key_len)"},
    library=(scaled_dot_product_attention,),
    properties=(
        Property(
            "row i of the weights is the softmax of the dot products of query i with every key",
            2,
            _cases((2, 4, 3, 5), (3, 3, 3, 3)),
            only="weights",
        ),
        Property(
            "row i of the output is the average of the values with the weights of row i",
            1,
            _cases((2, 4, 3, 5), (3, 3, 3, 3)),
            only="output",
        ),
        Property(
            "the same holds for any number of queries, keys and features",
            1,
            all_of(
                _cases((1, 4, 3, 2), (5, 1, 2, 3), (6, 4, 5, 1)),
                _cases((3, 5, 4, 2), dtype=float64),
            ),
        ),
        Property("no loop in Python", 1, judge=no_loop, measured_inside=True),
    ),
    mistakes=MISTAKES,
)
