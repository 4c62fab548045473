"""Lesson 04, exercise 7: three projections in one matrix, as GPT-NeoX stores them."""

import torch
from torch import float64

from course_lib.checks.exercise import Case, Exercise, Mistake, Property, randn
from course_lib.checks.heads_in_one_matrix.unpack_gpt2 import PARTS, reordered


def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    parts = weight.reshape(num_heads, 3, d_model // num_heads, d_model)
    return tuple(parts[:, i].reshape(d_model, d_model) for i in range(3))


def _blocks(weight, num_heads):
    return weight.chunk(3)


def _every_third(weight, num_heads):
    return tuple(weight[i::3] for i in range(3))


def _sizes_exchanged(weight, num_heads):
    return unpack_neox(weight, weight.shape[1] // num_heads)


def _heads_interleaved(weight, num_heads):
    d_model = weight.shape[1]
    parts = weight.reshape(num_heads, 3, d_model // num_heads, d_model)
    return tuple(parts[:, i].transpose(0, 1).reshape(d_model, d_model) for i in range(3))


def _heads_apart(weight, num_heads):
    parts = weight.reshape(num_heads, 3, -1, weight.shape[1])
    return tuple(parts[:, i] for i in range(3))


def _transposed(weight, num_heads):
    return tuple(part.transpose(0, 1) for part in unpack_neox(weight, num_heads))


def _turned_first(weight, num_heads):
    d_model = weight.shape[1]
    turned = weight.transpose(0, 1).reshape(num_heads, 3, -1, d_model)
    return tuple(turned[:, i].reshape(d_model, d_model) for i in range(3))


def _three_behind_rows(weight, num_heads):
    d_model = weight.shape[1]
    parts = weight.reshape(num_heads, 3, -1, d_model).transpose(1, 2)
    return tuple(parts.reshape(3, d_model, d_model))


def _first_head(repeated):
    """A version that knows head 0 only."""

    def version(weight, num_heads):
        parts = weight[: len(weight) // num_heads].chunk(3)
        return tuple(part.repeat(num_heads if repeated else 1, 1) for part in parts)

    return version


def _heads_reversed(weight, num_heads):
    return unpack_neox(torch.cat(weight.chunk(num_heads)[::-1]), num_heads)


def _cases(*sizes, dtype=None):
    """(num_heads, head_dim) each."""

    def make(generator):
        return [
            Case((randn(generator, 3 * heads * size, heads * size).to(dtype), heads))
            for heads, size in sizes
        ]

    return make


EXERCISE = Exercise(
    lesson="04",
    number=7,
    reference=unpack_neox,
    returns=PARTS,
    properties=(
        Property(
            "w_query holds the query rows of head 0, then those of head 1, and so on",
            2,
            _cases((2, 2), (3, 2)),
            only="w_query",
        ),
        Property("w_key and w_value hold theirs in the same way", 1, _cases((2, 2), (2, 3))),
        Property(
            "the same holds for one head, for heads of one row, and in float64",
            1,
            lambda generator: (
                _cases((1, 4), (4, 1))(generator) + _cases((3, 4), dtype=float64)(generator)
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "blocks",
            "You cut the weight in three blocks of d_model rows, as if all queries came first. "
            "Here each head has its queries, keys and values together: your w_query begins with "
            "the rows of head 0, its keys and values included.",
            _blocks,
        ),
        Mistake(
            "every_third",
            "You take every third row. Query, key and value take turns, but head_dim rows at a "
            "time.",
            _every_third,
        ),
        Mistake(
            "sizes_exchanged",
            "You split into head_dim heads of num_heads rows. The slowest index is the head, and "
            "there are num_heads of them.",
            _sizes_exchanged,
        ),
        Mistake(
            "heads_interleaved",
            "Your rows are the right ones in the wrong order: row 0 of each head, then row 1 of "
            "each head. The rows of one head stay together.",
            _heads_interleaved,
        ),
        Mistake(
            "heads_apart",
            "Your parts still have a dimension for the heads. One weight for torch.nn.Linear has "
            "two dimensions: merge the heads with their rows.",
            _heads_apart,
        ),
        Mistake(
            "transposed",
            "Your parts are transposed. This weight is stored as torch.nn.Linear stores it, output "
            "first: nothing has to be turned round. (GPT-2's was the other way.)",
            _transposed,
        ),
        Mistake(
            "query_key_exchanged",
            "Query and key have changed places. Within a head the order is query, key, value.",
            reordered(unpack_neox, 1, 0, 2),
        ),
        Mistake(
            "key_value_exchanged",
            "Key and value have changed places. Within a head the order is query, key, value.",
            reordered(unpack_neox, 0, 2, 1),
        ),
        Mistake(
            "value_first",
            "Your order is value, key, query. Within a head the order is query, key, value.",
            reordered(unpack_neox, 2, 1, 0),
        ),
        Mistake(
            "query_for_all",
            "You return the queries' rows three times. The rows of the keys and of the values "
            "follow them within each head.",
            reordered(unpack_neox, 0, 0, 0),
        ),
        Mistake(
            "turned_first",
            "You turn the weight round before you cut it. It is stored output first, as "
            "torch.nn.Linear stores it: its rows are what has to be sorted.",
            _turned_first,
        ),
        Mistake(
            "three_behind_rows",
            "You exchange the three with the rows of a head and reshape to (3, d_model, d_model). "
            "That cuts between heads. Bring the three in front of the heads, or pick one of the "
            "three after the other.",
            _three_behind_rows,
        ),
        Mistake(
            "first_head_only",
            "You return the rows of head 0 alone. Each matrix holds those of all heads.",
            _first_head(repeated=False),
        ),
        Mistake(
            "first_head_repeated",
            "You repeat the rows of head 0 for all heads. Each head has rows of its own.",
            _first_head(repeated=True),
        ),
        Mistake(
            "heads_reversed",
            "Your heads come in reversed order: the rows of head 0 should be on top.",
            _heads_reversed,
        ),
        Mistake(
            "four_heads",
            "You split into four heads in every case. How many there are is num_heads.",
            lambda weight, num_heads: unpack_neox(weight, 4),
        ),
    ),
)
