"""Lesson 01, exercise 2: all queries at once, without a loop."""

from torch import exp, float64, softmax

from course_lib.attention import scaled_dot_product_attention
from course_lib.checks.exercise import Case, Exercise, Mutant, Property, randn
from course_lib.checks.judge.observations import column_sums, largest, row_sum, total
from course_lib.checks.judge.source import no_loop


def attend_all(query, key, value):
    scores = query @ key.transpose(-2, -1)  # (query_len, key_len)
    weights = softmax(scores, dim=-1)
    return weights @ value, weights  # (query_len, value_dim)


def _with_weights(weights_of):
    """A version whose weights come from the scores in another way."""

    def version(query, key, value):
        weights = weights_of(query @ key.transpose(-2, -1))
        return weights @ value, weights

    return version


def _plain_mean(query, key, value):
    output, weights = attend_all(query, key, value)
    return value.mean(dim=0).expand(output.shape), weights


def _roles_exchanged(query, key, value):
    weights = softmax(key @ query.transpose(-2, -1), dim=-1)  # (key_len, query_len)
    return weights @ value, weights


def _reshaped(query, key, value):
    weights = softmax(query @ key.reshape(key.shape[::-1]), dim=-1)
    return weights @ value, weights


def _not_transposed(query, key, value):
    weights = softmax(query @ key, dim=-1)
    return weights @ value, weights


def _weights_transposed(query, key, value):
    weights = attend_all(query, key, value)[1]
    return weights.transpose(-2, -1) @ value, weights


def _cases(*sizes, dtype=None):
    """(query_len, key_len, d, value_dim) each."""

    def make(generator):
        return [
            Case(
                tuple(
                    (0.8 * randn(generator, *shape)).to(dtype)
                    for shape in ((queries, d), (keys, d), (keys, d_v))
                )
            )
            for queries, keys, d, d_v in sizes
        ]

    return make


EXERCISE = Exercise(
    lesson="01",
    number=2,
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
            lambda generator: (
                _cases((1, 4, 3, 2), (5, 1, 2, 3), (6, 4, 5, 1))(generator)
                + _cases((3, 5, 4, 2), dtype=float64)(generator)
            ),
        ),
        Property("no loop in Python", 1, judge=no_loop),
    ),
    mutants=(
        Mutant(
            "not_transposed",
            "You multiply query and key as they are, (query_len, d) times (key_len, d). Where that "
            "fits at all, because the sizes happen to be equal, it mixes the wrong numbers: which "
            "one must be transposed so that the two d meet?",
            _not_transposed,
        ),
        Mutant(
            "reshaped",
            "You reshape the keys to (d, key_len). The shape is right and the numbers are mixed: a "
            "reshape keeps their order in memory. key.T turns the keys into columns.",
            _reshaped,
        ),
        Mutant(
            "softmax_over_queries",
            "Your softmax runs over the queries instead of the keys. Each query shares out its own "
            "weight among the keys, so each row must sum to 1.",
            _with_weights(lambda scores: softmax(scores, dim=0)),
            column_sums(),
        ),
        Mutant(
            "softmax_over_all",
            "Your softmax runs over the whole matrix at once, so all queries share a total of 1. "
            "Every query has its own 1 to share out.",
            _with_weights(lambda scores: softmax(scores.flatten(), dim=0).view(scores.shape)),
            total(),
        ),
        Mutant(
            "no_softmax",
            "Your weights are the raw dot products: the softmax is missing.",
            _with_weights(lambda scores: scores),
            row_sum(),
        ),
        Mutant(
            "not_normalised",
            "You take the exponential of the scores and stop there: each row still has to be "
            "divided by its own sum.",
            _with_weights(exp),
            row_sum(),
        ),
        Mutant(
            "scaled",
            "You divide the scores by sqrt(d). That comes in lesson 02; here the scores are the "
            "plain dot products.",
            lambda query, key, value: attend_all(query / query.shape[-1] ** 0.5, key, value),
            largest("weights"),
        ),
        Mutant(
            "roles_exchanged",
            "Queries and keys have changed places: row i of your scores belongs to key i. Row i "
            "should hold the dot products of query i with every key.",
            _roles_exchanged,
        ),
        Mutant(
            "swapped",
            "The two answers are in the other order: the output comes first, then the weights.",
            lambda query, key, value: attend_all(query, key, value)[::-1],
        ),
        Mutant(
            "keys_averaged",
            "Your weights are right, and your output averages the keys. The keys are for the match "
            "only; what is handed back are the values.",
            lambda query, key, value: attend_all(query, key, key),
        ),
        Mutant(
            "plain_mean",
            "Your weights are right, and your output does not use them: every query gets the plain "
            "mean of the values.",
            _plain_mean,
        ),
        Mutant(
            "weights_transposed",
            "Your weights are right, and they are transposed before they meet the values: each "
            "output then mixes the values with the weights of a column, not of its own row.",
            _weights_transposed,
        ),
    ),
)
