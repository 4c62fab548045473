"""Lesson 02, exercise 2: scores, divided by sqrt(d_k)."""

import math

from torch import float64

from course_checks.exercise import Exercise, Property, all_of, random_cases
from course_checks.judge.gradient import detached


def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])


MISTAKES = """
no_scale: / math.sqrt(query.shape[-1]) ->
    Your scores are not divided by sqrt(d_k). A dot product of d_k terms has a variance of about
    d_k: the longer the vectors, the larger the scores, the harder the softmax.
no_square_root: math.sqrt(query.shape[-1]) -> query.shape[-1]
    You divide by d_k without the square root. The variance of the dot product grows with d_k, its
    standard deviation with sqrt(d_k); your scores are too small and the weights come out too even.
precedence: math.sqrt(query.shape[-1]) -> query.shape[-1] ** 1 / 2
    In / d_k**1/2 the power comes first: that divides by d_k and then by 2. Write math.sqrt(d_k), or
    d_k ** 0.5.
constant: math.sqrt(query.shape[-1]) -> 8 || 4 || 16 || 64 || 2 || 10
    You divide by the same number whatever the vectors are: take d_k from the shape of the query.
multiplied: / math.sqrt -> * math.sqrt
    You multiply by sqrt(d_k) instead of dividing by it: the scores grow where they should shrink.
key_len: query.shape[-1] -> key.shape[-2]
    You divide by the square root of the number of keys. The scale undoes the growth of a dot
    product with the length of its vectors, d_k; how many keys there are plays no part.
second_dimension: query.shape[-1] -> query.shape[1]
    You read d_k from dimension 1. That is right for a matrix; with a batch in front, dimension 1 is
    the number of queries. Count from the end.
first_dimension: query.shape[-1] -> query.shape[0]
    You read d_k from dimension 0, which holds the queries, or the sentences of a batch. It is the
    last size, query.shape[-1].
roles_exchanged: query @ key.transpose(-2, -1) -> key @ query.transpose(-2, -1)
    Queries and keys have changed places: your scores are transposed. Queries belong to the rows,
    keys to the columns.
softmaxed: lambda query, key: torch.softmax(scaled_scores(query, key), dim=-1)
    You return the softmax of the scores. These are the scores before it: they may be negative, and
    rows need not sum to 1.
all_dimensions_reversed: key.transpose(-2, -1) -> _all_reversed(key)
    Your transpose reverses all dimensions, as .T does. With a batch in front only the last two may
    change places.
first_two_transposed: key.transpose(-2, -1) -> key.transpose(0, 1)
    You transpose dimensions 0 and 1. That is right for a matrix; with a batch in front it is the
    last two that must change places.
query_len: query.shape[-1] -> query.shape[-2]
    You divide by the square root of the number of queries. The scale undoes the growth of a dot
    product with the length of its vectors, d_k; how many queries there are plays no part.
all_numbers: query.shape[-1] -> query.numel()
    You divide by the square root of how many numbers the whole query tensor holds. Only d_k counts,
    the last of its sizes.
whole_root: math.sqrt(query.shape[-1]) -> int(math.sqrt(query.shape[-1]))
or: math.sqrt(query.shape[-1]) -> round(math.sqrt(query.shape[-1]))
    You round sqrt(d_k) to a whole number: int, round and // do that. Divide by the root itself.
fourth_root: math.sqrt(query.shape[-1]) -> query.shape[-1] ** 0.25
    You divide by the fourth root of d_k once. Either divide query and key by it both, or the scores
    by the square root.
cosine: query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]) -> \
        F.normalize(query, dim=-1) @ F.normalize(key, dim=-1).transpose(-2, -1)
    You bring the vectors to length 1. The scores are then cosines; here they are dot products,
    divided by sqrt(d_k).
measured: math.sqrt(query.shape[-1]) -> (query @ key.transpose(-2, -1)).std()
    You divide by the standard deviation that these scores happen to have. The scale is sqrt(d_k),
    the same for every input of that size.
query_twice: key.transpose -> query.transpose
    Your scores are those of the queries with the queries: the keys play no part.
first_keys: key.transpose -> key.reshape(-1, *key.shape[-2:])[0].transpose
    Every sentence of the batch is compared with the keys of the first. Each has its own.
"""


def _all_reversed(key):
    return key.permute(*reversed(range(key.dim())))  # what key.T does


EXERCISE = Exercise(
    reference=scaled_scores,
    returns={"scores": "(..., query_len, key_len)"},
    properties=(
        Property(
            "entry (i, j) is the dot product of query i and key j, divided by sqrt(d_k)",
            2,
            random_cases(((2, 4), (3, 4)), ((3, 5), (3, 5))),
        ),
        Property(
            "the same holds for a single query, and for large and small d_k",
            1,
            random_cases(((1, 3), (2, 3)), ((4, 1), (2, 1)), ((3, 64), (5, 64))),
        ),
        Property(
            "the same holds with leading dimensions, and in float64",
            1,
            all_of(
                random_cases(
                    ((2, 2, 5), (2, 3, 5)), ((3, 3, 3), (3, 3, 3)), ((2, 2, 4, 6), (2, 2, 3, 6))
                ),
                random_cases(((1, 1, 3), (1, 2, 3))),
                random_cases(((2, 3, 7), (2, 2, 7)), dtype=float64),
            ),
        ),
        Property("gradients reach query and key", 1, gradient=random_cases(((2, 2, 5), (2, 3, 5)))),
    ),
    mistakes=(MISTAKES, detached("query", "key")),
)
