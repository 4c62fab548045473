"""Lesson 02, exercise 1: queries, keys and values from the tokens."""

import torch
from torch import Tensor, float64

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_checks.judge.gradient import detached


def project_qkv(x, w_query, w_key, w_value):
    query = x @ w_query.transpose(-2, -1)  # (..., seq_len, head_dim)
    key = x @ w_key.transpose(-2, -1)
    value = x @ w_value.transpose(-2, -1)
    return query, key, value


MISTAKES = """
not_transposed: .transpose(-2, -1) =>
or: lambda x, *weights: tuple(x @ (w if w.shape[0] == x.shape[-1] else w.T) for w in weights)
    You multiply by the matrices as they are. torch.nn.Linear stores a weight as (out_features,
    in_features), here (head_dim, d_model), so that the product only fits by chance, when the two
    are equal, and is wrong even then.
query_key_exchanged: lambda x, w_query, w_key, w_value: project_qkv(x, w_key, w_query, w_value)
    Query and key have changed places: the matrix of each makes the other.
key_value_exchanged: lambda x, w_query, w_key, w_value: project_qkv(x, w_query, w_value, w_key)
    Key and value have changed places: the matrix of each makes the other.
query_value_exchanged: lambda x, w_query, w_key, w_value: project_qkv(x, w_value, w_key, w_query)
    Query and value have changed places: the matrix of each makes the other.
one_matrix: w_key.transpose -> w_query.transpose && w_value.transpose -> w_query.transpose
    Query, key and value are all made by w_query. A token needs three different roles: what it looks
    for, what it offers, and what it hands on.
query_is_key: w_key.transpose -> w_query.transpose
    Query and key are both made by w_query, so each token looks for exactly what it offers itself.
key_as_value: w_value.transpose -> w_key.transpose
    The value is made by w_key. What a token offers for the match (key) and what it hands on (value)
    are two different things.
scaled: return query -> return query / len(w_query) ** 0.5
    You divide the query by sqrt(head_dim) here. The scale belongs to the scores, in the next
    exercise: done twice it is wrong.
answers_transposed: return query, key, value -> \
        return query.transpose(-2, -1), key.transpose(-2, -1), value.transpose(-2, -1)
    Your answers are transposed: the tokens should stay in the rows, the features in the columns.
reshaped: lambda x, *weights: tuple(x @ weight.reshape(weight.shape[::-1]) for weight in weights)
    You reshape the matrices to (d_model, head_dim). The shape is right and the numbers are mixed: a
    reshape keeps their order in memory. .T exchanges rows and columns.
value_is_x: return query, key, value -> return query, key, x
    The value is x itself: it has to pass through w_value, as query and key pass through their
    matrices.
joined: return query, key, value -> return torch.cat((query, key, value), dim=-1)
    You return one tensor in which the three stand side by side. Return them one by one: query, key,
    value.
every_third: _every_third
    You take every third column of the joined product. Query, key and value stand in it as three
    whole blocks: chunk(3, dim=-1) cuts it into these.
flattened: lambda x, *weights: project_qkv(x.flatten(0, -2), *weights)
    You merge the leading dimensions into one. They stay as they are: x @ w.T works on the last
    dimension alone.
first_sentence: lambda x, *weights: project_qkv(x[0] if x.dim() > 2 else x, *weights)
or: lambda x, *weights: project_qkv(x.reshape(-1, *x.shape[-2:])[0], *weights)
    You use the first sentence of a batch only. x @ w.T takes all of them at once.
"""


def _joined(*args):
    return torch.cat(project_qkv(*args), dim=-1)


def _every_third(*args):
    joined = _joined(*args)
    return tuple(joined[..., i::3] for i in range(3))


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
    reference=project_qkv,
    returns={"query": _SHAPE, "key": _SHAPE, "value": _SHAPE},
    properties=(
        Property(
            "query, key and value are x times their own matrix, as torch.nn.Linear does it",
            2,
            cases(((3, 4), 2), ((3, 5), 1), ((2, 30), 40)),
        ),
        Property(
            "the same holds when head_dim equals d_model, where shapes cannot tell a mistake",
            1,
            cases(((2, 2), 2), ((5, 5), 5)),
        ),
        Property(
            "the same holds with leading dimensions, and in float64",
            1,
            all_of(
                cases(((2, 3, 4), 2), ((1, 1, 3), 2), ((2, 2, 3, 5), 4)),
                cases(((3, 4), 2), dtype=float64),
            ),
        ),
        Property(
            "gradients reach the tokens and all three matrices", 1, gradient=cases(((2, 3, 4), 2))
        ),
    ),
    mistakes=(MISTAKES, detached("x", "w_query", "w_key", "w_value")),
)
