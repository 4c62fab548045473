"""Lesson 02, exercise 1: queries, keys and values from the tokens."""

from torch import Tensor, float64

from course_lib.checks.exercise import Case, Exercise, Mutant, Property, randn
from course_lib.checks.judge.observations import ratio


def project_qkv(x, w_query, w_key, w_value):
    query = x @ w_query.transpose(-2, -1)  # (..., seq_len, head_dim)
    key = x @ w_key.transpose(-2, -1)
    value = x @ w_value.transpose(-2, -1)
    return query, key, value


def _reordered(*order):
    """A version that uses its matrices in another order: 0 query, 1 key, 2 value."""
    return lambda x, *weights: project_qkv(x, *(weights[i] for i in order))


def _not_transposed(x, w_query, w_key, w_value):
    return x @ w_query, x @ w_key, x @ w_value


def _scaled(x, w_query, w_key, w_value):
    query, key, value = project_qkv(x, w_query, w_key, w_value)
    return query / w_query.shape[0] ** 0.5, key, value


def _answers_transposed(x, w_query, w_key, w_value):
    return tuple(part.transpose(-2, -1) for part in project_qkv(x, w_query, w_key, w_value))


def _chained(x, w_query, w_key, w_value):
    query = x @ w_query.transpose(-2, -1)
    key = query @ w_key.transpose(-2, -1)
    return query, key, key @ w_value.transpose(-2, -1)


def inputs(generator, shape, head_dim, dtype=None) -> tuple[Tensor, ...]:
    """Tokens of variance 1 and weights that keep it."""
    x = randn(generator, *shape)
    weights = (randn(generator, head_dim, shape[-1]) / shape[-1] ** 0.5 for _ in range(3))
    return tuple(part.to(dtype) for part in (x, *weights))


def cases(*sizes, dtype=None):
    """(shape of x, head_dim) each."""
    return lambda generator: [Case(inputs(generator, *size, dtype=dtype)) for size in sizes]


_SHAPE = "(..., seq_len, head_dim)"

EXERCISE = Exercise(
    lesson="02",
    number=1,
    reference=project_qkv,
    returns={"query": _SHAPE, "key": _SHAPE, "value": _SHAPE},
    properties=(
        Property(
            "query, key and value are x times their own matrix, as torch.nn.Linear does it",
            2,
            cases(((3, 4), 2), ((3, 5), 1)),
        ),
        Property(
            "the same holds when head_dim equals d_model, where shapes cannot tell a mistake",
            1,
            cases(((2, 2), 2), ((5, 5), 5)),
        ),
        Property(
            "the same holds with leading dimensions, and in float64",
            1,
            lambda generator: (
                cases(((2, 3, 4), 2), ((2, 2, 3, 5), 4))(generator)
                + cases(((3, 4), 2), dtype=float64)(generator)
            ),
        ),
    ),
    mutants=(
        Mutant(
            "not_transposed",
            "You multiply by the matrices as they are. torch.nn.Linear stores a weight as "
            "(out_features, in_features), here (head_dim, d_model), so that the product only fits "
            "by chance, when the two are equal, and is wrong even then.",
            _not_transposed,
        ),
        Mutant(
            "query_key_exchanged",
            "Query and key have changed places: the matrix of each makes the other.",
            _reordered(1, 0, 2),
        ),
        Mutant(
            "key_value_exchanged",
            "Key and value have changed places: the matrix of each makes the other.",
            _reordered(0, 2, 1),
        ),
        Mutant(
            "query_value_exchanged",
            "Query and value have changed places: the matrix of each makes the other.",
            _reordered(2, 1, 0),
        ),
        Mutant(
            "one_matrix",
            "Query, key and value are all made by w_query. A token needs three different roles: "
            "what it looks for, what it offers, and what it hands on.",
            _reordered(0, 0, 0),
        ),
        Mutant(
            "query_is_key",
            "Query and key are both made by w_query, so each token looks for exactly what it "
            "offers itself.",
            _reordered(0, 0, 2),
        ),
        Mutant(
            "key_as_value",
            "The value is made by w_key. What a token offers for the match (key) and what it hands "
            "on (value) are two different things.",
            _reordered(0, 1, 1),
        ),
        Mutant(
            "scaled",
            "You divide the query by sqrt(head_dim) here. The scale belongs to the scores, in the "
            "next exercise: done twice it is wrong.",
            _scaled,
            ratio("query"),
        ),
        Mutant(
            "answers_transposed",
            "Your answers are transposed: the tokens should stay in the rows, the features in the "
            "columns.",
            _answers_transposed,
        ),
        Mutant(
            "chained",
            "You project the query to get the key, and the key to get the value. All three start "
            "from x.",
            _chained,
        ),
    ),
)
