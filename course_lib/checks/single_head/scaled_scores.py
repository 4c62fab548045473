"""Lesson 02, exercise 2: scores, divided by sqrt(d_k)."""

import math

import torch
from torch import float64, softmax
from torch.nn.functional import normalize

from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.judge.gradient import cut_off, gradient_fault


def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])


def _divided_by(divisor_of):
    """A version that divides the dot products by something else."""
    return lambda query, key: query @ key.transpose(-2, -1) / divisor_of(query, key)


def _cases(*sizes, dtype=None):
    """(leading dimensions, query_len, key_len, d_k) each."""

    def make(generator):
        shapes = [((*lead, t_q, d), (*lead, t_k, d)) for lead, t_q, t_k, d in sizes]
        return [Case(tuple(randn(generator, *s).to(dtype) for s in pair)) for pair in shapes]

    return make


def _first_keys(query, key):
    return scaled_scores(query, key.reshape(-1, *key.shape[-2:])[0])


def _standardised(query, key):
    scores = query @ key.transpose(-2, -1)
    return scores / scores.std()


def _learns(function):
    generator = torch.Generator(device="cpu").manual_seed(0)
    return gradient_fault(EXERCISE, function, _cases(((2,), 2, 3, 5))(generator))


def _all_reversed(key):
    return key.permute(*reversed(range(key.dim())))  # what key.T does


EXERCISE = Exercise(
    lesson="02",
    number=2,
    reference=scaled_scores,
    returns={"scores": "(..., query_len, key_len)"},
    properties=(
        Property(
            "entry (i, j) is the dot product of query i and key j, divided by sqrt(d_k)",
            2,
            _cases(((), 2, 3, 4), ((), 3, 3, 5)),
        ),
        Property(
            "the same holds for a single query, and for large and small d_k",
            1,
            _cases(((), 1, 2, 3), ((), 4, 2, 1), ((), 3, 5, 64)),
        ),
        Property(
            "the same holds with leading dimensions, and in float64",
            1,
            lambda generator: (
                _cases(((2,), 2, 3, 5), ((3,), 3, 3, 3), ((2, 2), 4, 3, 6))(generator)
                + _cases(((1,), 1, 2, 3))(generator)
                + _cases(((2,), 3, 2, 7), dtype=float64)(generator)
            ),
        ),
        Property("gradients reach query and key", 1, judge=_learns),
    ),
    mistakes=(
        Mistake(
            "no_scale",
            "Your scores are not divided by sqrt(d_k). A dot product of d_k terms has a variance "
            "of about d_k: the longer the vectors, the larger the scores, the harder the softmax.",
            _divided_by(lambda query, key: 1),
        ),
        Mistake(
            "no_square_root",
            "You divide by d_k without the square root. The variance of the dot product grows with "
            "d_k, its standard deviation with sqrt(d_k); your scores are too small and the weights "
            "come out too even.",
            _divided_by(lambda query, key: query.shape[-1]),
        ),
        Mistake(
            "precedence",
            "In / d_k**1/2 the power comes first: that divides by d_k and then by 2. Write "
            "math.sqrt(d_k), or d_k ** 0.5.",
            _divided_by(lambda query, key: query.shape[-1] * 2),
        ),
        Mistake(
            "constant",
            "You divide by the same number whatever the vectors are: take d_k from the shape of "
            "the query.",
            _divided_by(lambda query, key: 8),
            also=tuple(_divided_by(lambda query, key, n=n: n) for n in (4, 16, 64, 2, 10)),
        ),
        Mistake(
            "multiplied",
            "You multiply by sqrt(d_k) instead of dividing by it: the scores grow where they "
            "should shrink.",
            _divided_by(lambda query, key: 1 / math.sqrt(query.shape[-1])),
        ),
        Mistake(
            "key_len",
            "You divide by the square root of the number of keys. The scale undoes the growth of a "
            "dot product with the length of its vectors, d_k; how many keys there are plays no "
            "part.",
            _divided_by(lambda query, key: math.sqrt(key.shape[-2])),
        ),
        Mistake(
            "second_dimension",
            "You read d_k from dimension 1. That is right for a matrix; with a batch in front, "
            "dimension 1 is the number of queries. Count from the end.",
            _divided_by(lambda query, key: math.sqrt(query.shape[1])),
        ),
        Mistake(
            "roles_exchanged",
            "Queries and keys have changed places: your scores are transposed. Queries belong to "
            "the rows, keys to the columns.",
            lambda query, key: scaled_scores(key, query),
        ),
        Mistake(
            "softmaxed",
            "You return the softmax of the scores. These are the scores before it: they may be "
            "negative, and rows need not sum to 1.",
            lambda query, key: softmax(scaled_scores(query, key), dim=-1),
        ),
        Mistake(
            "all_dimensions_reversed",
            "Your transpose reverses all dimensions, as .T does. With a batch in front only the "
            "last two may change places.",
            lambda query, key: query @ _all_reversed(key) / math.sqrt(query.shape[-1]),
        ),
        Mistake(
            "first_two_transposed",
            "You transpose dimensions 0 and 1. That is right for a matrix; with a batch in front "
            "it is the last two that must change places.",
            lambda query, key: query @ key.transpose(0, 1) / math.sqrt(query.shape[-1]),
        ),
        Mistake(
            "query_len",
            "You divide by the square root of the number of queries. The scale undoes the growth "
            "of a dot product with the length of its vectors, d_k; how many queries there are "
            "plays no part.",
            _divided_by(lambda query, key: math.sqrt(query.shape[-2])),
        ),
        Mistake(
            "all_numbers",
            "You divide by the square root of how many numbers the whole query tensor holds. Only "
            "d_k counts, the last of its sizes.",
            _divided_by(lambda query, key: math.sqrt(query.numel())),
        ),
        Mistake(
            "whole_root",
            "You round sqrt(d_k) to a whole number: int, round and // do that. Divide by the root "
            "itself.",
            _divided_by(lambda query, key: int(math.sqrt(query.shape[-1]))),
            also=(_divided_by(lambda query, key: round(math.sqrt(query.shape[-1]))),),
        ),
        Mistake(
            "fourth_root",
            "You divide by the fourth root of d_k once. Either divide query and key by it both, or "
            "the scores by the square root.",
            _divided_by(lambda query, key: query.shape[-1] ** 0.25),
        ),
        Mistake(
            "cosine",
            "You bring the vectors to length 1. The scores are then cosines; here they are dot "
            "products, divided by sqrt(d_k).",
            lambda query, key: normalize(query, dim=-1) @ normalize(key, dim=-1).transpose(-2, -1),
        ),
        Mistake(
            "measured",
            "You divide by the standard deviation that these scores happen to have. The scale is "
            "sqrt(d_k), the same for every input of that size.",
            _standardised,
        ),
        Mistake(
            "query_twice",
            "Your scores are those of the queries with the queries: the keys play no part.",
            lambda query, key: scaled_scores(query, query),
        ),
        Mistake(
            "first_keys",
            "Every sentence of the batch is compared with the keys of the first. Each has its own.",
            _first_keys,
        ),
        Mistake(
            "cut_off",
            cut_off("query", "key"),
            lambda query, key: scaled_scores(query, key).detach(),
        ),
    ),
)
