"""Lesson 13, exercise 1: the bytes of a cache, from a model's configuration."""

from torch import randint

from course_lib.checks.exercise import Case, Exercise, Mutant, Property


def cache_bytes(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
    one_token = num_layers * 2 * num_kv_heads * head_dim * bytes_per_number
    return [one_token, one_token * tokens]


def _cache_bytes_with(
    heads=lambda q, kv: kv, roles=2, layers=None, size=lambda b: b, of_all=lambda one, n: one * n
):
    """A version that counts other heads, or leaves something out."""

    def version(num_layers, num_heads, num_kv_heads, head_dim, bytes_per_number, tokens):
        layers_counted = num_layers if layers is None else layers
        one = (
            layers_counted
            * roles
            * heads(num_heads, num_kv_heads)
            * head_dim
            * size(bytes_per_number)
        )
        return [one, of_all(one, tokens)]

    return version


def _width_for_head(num_layers, num_heads, num_kv_heads, head_dim, *rest):
    return cache_bytes(num_layers, num_heads, num_kv_heads, num_heads * head_dim, *rest)


def _exchanged(*sizes):
    return cache_bytes(*sizes)[::-1]


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
    mutants=(
        Mutant(
            "query_heads",
            "You count the query heads. Queries are not kept: a query is used once. What is kept "
            "belongs to the key heads, num_kv_heads.",
            _cache_bytes_with(heads=lambda q, kv: q),
        ),
        Mutant(
            "queries_kept_too",
            "You count queries beside the keys and values. They are not kept: a query is used "
            "once, at its own step.",
            _cache_bytes_with(heads=lambda q, kv: q + 2 * kv, roles=1),
        ),
        Mutant(
            "keys_alone",
            "You count keys or values, and both are kept: each key head keeps head_dim numbers "
            "for the key and head_dim for the value.",
            _cache_bytes_with(roles=1),
        ),
        Mutant(
            "one_layer",
            "You count one layer. Each layer has keys and values of its own.",
            _cache_bytes_with(layers=1),
        ),
        Mutant(
            "numbers",
            "You return how many numbers are kept. Each takes bytes_per_number bytes.",
            _cache_bytes_with(size=lambda b: 1),
        ),
        Mutant(
            "two_bytes",
            "You count two bytes for each number, whatever bytes_per_number is.",
            _cache_bytes_with(size=lambda b: 2),
        ),
        Mutant(
            "four_bytes",
            "You count four bytes for each number, whatever bytes_per_number is.",
            _cache_bytes_with(size=lambda b: 4),
        ),
        Mutant(
            "bits",
            "You count in bits: eight times as many as bytes.",
            _cache_bytes_with(size=lambda b: 8 * b),
        ),
        Mutant(
            "width_for_head",
            "You take the width of all heads together, num_heads * head_dim, where the size of "
            "one head belongs.",
            _width_for_head,
        ),
        Mutant(
            "divided_by_the_heads",
            "You take the number of query heads that share a key head, num_heads // num_kv_heads. "
            "It is the key heads themselves that are kept, num_kv_heads.",
            _cache_bytes_with(heads=lambda q, kv: q // kv),
        ),
        Mutant(
            "square_of_the_tokens",
            "Your cache grows with the square of the tokens. That would be the weights, which are "
            "not kept. Each token adds one key and one value, whatever stands before it.",
            _cache_bytes_with(of_all=lambda one, n: one * n * n),
        ),
        Mutant(
            "one_token_twice",
            "Your second number does not grow with the tokens. It is the cache of the whole text: "
            "that of one token, times tokens.",
            _cache_bytes_with(of_all=lambda one, n: one),
        ),
        Mutant(
            "exchanged",
            "Your two numbers stand in the other order: first the bytes of one token, then those "
            "of all.",
            _exchanged,
        ),
    ),
)
