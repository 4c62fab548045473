"""Lesson 13, exercise 1: the bytes of a cache, from a model's configuration."""

from torch import randint

from course_lib.checks.exercise import Case, Exercise, Property


def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one_token = num_layers * 2 * num_kv_heads * head_dim * bytes_per_number
    return [one_token, one_token * tokens]


MISTAKES = """
query_heads: 2 * num_kv_heads -> 2 * num_heads
    You count the query heads. Queries are not kept: a query is used once. What is kept belongs to
    the key heads, num_kv_heads.
queries_kept_too: 2 * num_kv_heads -> (num_heads + 2 * num_kv_heads)
    You count queries beside the keys and values. They are not kept: a query is used once, at its
    own step.
keys_alone: 2 * ->
    You count keys or values, and both are kept: each key head keeps head_dim numbers for the key
    and head_dim for the value.
one_layer: num_layers * 2 -> 2
    You count one layer. Each layer has keys and values of its own.
numbers: * bytes_per_number ->
    You return how many numbers are kept. Each takes bytes_per_number bytes.
two_bytes: * bytes_per_number -> * 2
    You count two bytes for each number, whatever bytes_per_number is.
four_bytes: * bytes_per_number -> * 4
    You count four bytes for each number, whatever bytes_per_number is.
bits: * bytes_per_number -> * bytes_per_number * 8
    You count in bits: eight times as many as bytes.
width_for_head: head_dim * -> num_heads * head_dim *
    You take the width of all heads together, num_heads * head_dim, where the size of one head
    belongs.
divided_by_the_heads: 2 * num_kv_heads -> 2 * (num_heads // num_kv_heads)
    You take the number of query heads that share a key head, num_heads // num_kv_heads. It is the
    key heads themselves that are kept, num_kv_heads.
square_of_the_tokens: one_token * tokens -> one_token * tokens**2
    Your cache grows with the square of the tokens. That would be the weights, which are not kept.
    Each token adds one key and one value, whatever stands before it.
one_token_twice: one_token * tokens -> one_token
    Your second number does not grow with the tokens. It is the cache of the whole text: that of one
    token, times tokens.
exchanged: one_token, one_token * tokens -> one_token * tokens, one_token
    Your two numbers stand in the other order: first the bytes of one token, then those of all.
text_of_one_layer: one_token * tokens -> one_token // num_layers * tokens
    Your second number is that of one layer. Each layer keeps the whole text.
"""


def _sizes(*sizes):
    return lambda generator: [Case(size) for size in sizes]


def _drawn(generator):
    """Sizes that nobody can know beforehand."""

    def draw(least, most):
        return int(randint(least, most, (), generator=generator))

    cases = []
    for size in (4, 2, 1):
        num_kv_heads = draw(2, 6)
        num_heads = num_kv_heads * draw(2, 5)
        cases.append(Case((draw(2, 9), num_heads, num_kv_heads, draw(3, 9), size, draw(3, 90))))
    return cases


EXERCISE = Exercise(
    lesson="13",
    number=1,
    reference=cache_bytes,
    returns={"bytes": "[for one token, for all tokens]"},
    kind="numbers",
    optional=("num_heads",),  # no query is kept
    properties=(
        Property(
            "as many key heads as query heads, in one layer",
            1,
            _sizes((1, 3, 3, 5, 4, 7), (1, 5, 5, 3, 2, 9)),
        ),
        Property("several layers, and heads that share", 2, _drawn),
        Property("one key head for all", 1, _sizes((3, 7, 1, 5, 4, 9), (5, 4, 1, 6, 1, 11))),
    ),
    mistakes=MISTAKES,
)
