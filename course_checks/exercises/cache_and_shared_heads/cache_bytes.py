"""Lesson 13, exercise 1: the bytes of a cache, from a model's configuration."""

from functools import partial

from course_checks.exercise import Case, Exercise, Property, randint, random_cases


def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one_token = num_layers * 2 * num_kv_heads * head_dim * bytes_per_number
    return [one_token, one_token * tokens]


MISTAKES = """
query_heads: 2 * num_kv_heads -> 2 * num_heads || (num_heads + 2 * num_kv_heads)
    You count queries. They are not kept, since each is used once: what is kept belongs to
    num_kv_heads.
keys_alone: 2 * ->
    You count keys or values, and both are kept: head_dim numbers each.
one_layer: num_layers * 2 -> 2
    You count one layer. Each layer has keys and values of its own.
numbers: * bytes_per_number ->
    You return how many numbers are kept. Each takes bytes_per_number bytes.
two_bytes: * bytes_per_number -> * 2 || * 4
    You count the same bytes for each number, whatever bytes_per_number is.
bits: * bytes_per_number -> * bytes_per_number * 8
    You count in bits: eight times as many as bytes.
width_for_head: head_dim * -> num_heads * head_dim *
    You take num_heads * head_dim where the size of one head belongs.
divided_by_the_heads: 2 * num_kv_heads -> 2 * (num_heads // num_kv_heads)
    You take num_heads // num_kv_heads, how many share a key head. Kept are num_kv_heads.
square_of_the_tokens: one_token * tokens -> one_token * tokens**2
    Your cache grows with the square of the tokens, as the weights would. Each token adds one key
    and one value.
one_token_twice: one_token * tokens -> one_token
    Your second number does not grow with the tokens. It is that of one token, times tokens.
exchanged: one_token, one_token * tokens -> one_token * tokens, one_token
    Your two numbers stand in the other order: first the bytes of one token, then those of all.
text_of_one_layer: one_token * tokens -> one_token // num_layers * tokens
    Your second number is that of one layer. Each layer keeps the whole text.
"""


def _drawn(generator):
    """Sizes that nobody can know beforehand."""
    draw = partial(randint, generator)
    for size in (4, 2, 1):
        num_kv_heads = draw(2, 6)
        num_heads = num_kv_heads * draw(2, 5)
        yield Case((draw(2, 9), num_heads, num_kv_heads, draw(3, 9), size, draw(3, 90)))


EXERCISE = Exercise(
    reference=cache_bytes,
    returns={"bytes": "[for one token, for all tokens]"},
    kind="numbers",
    optional=("num_heads",),  # no query is kept
    properties=(
        Property(
            "as many key heads as query heads, in one layer",
            1,
            random_cases((1, 3, 3, 5, 4, 7), (1, 5, 5, 3, 2, 9)),
        ),
        Property("several layers, and heads that share", 2, _drawn),
        Property("one key head for all", 1, random_cases((3, 7, 1, 5, 4, 9), (5, 4, 1, 6, 1, 11))),
    ),
    mistakes=MISTAKES,
)
