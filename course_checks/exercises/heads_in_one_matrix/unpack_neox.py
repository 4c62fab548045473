"""Lesson 04, exercise 7: three projections in one matrix, as GPT-NeoX stores them."""

from torch import float64

from course_checks.exercise import Exercise, Property, all_of, random_cases
from course_checks.exercises.heads_in_one_matrix.unpack_gpt2 import PARTS


def unpack_neox(weight, num_heads):
    d_model = weight.shape[1]
    parts = weight.reshape(num_heads, 3, d_model // num_heads, d_model)
    return tuple(parts[:, i].reshape(d_model, d_model) for i in range(3))


MISTAKES = """
blocks: lambda weight, num_heads: weight.chunk(3)
    You cut the weight in three blocks of d_model rows, as if all queries came first. Here each head
    has its queries, keys and values together: your w_query begins with the rows of head 0, its keys
    and values included.
every_third: lambda weight, num_heads: tuple(weight[i::3] for i in range(3))
    You take every third row. Query, key and value take turns, but head_dim rows at a time.
sizes_exchanged: num_heads, 3, d_model // num_heads -> d_model // num_heads, 3, num_heads
    You split into head_dim heads of num_heads rows. The slowest index is the head, and there are
    num_heads of them.
heads_interleaved: parts[:, i] -> parts[:, i].transpose(0, 1)
    Your rows are the right ones in the wrong order: row 0 of each head, then row 1 of each head.
    The rows of one head stay together.
heads_apart: .reshape(d_model, d_model) ->
    Your parts still have a dimension for the heads. One weight for torch.nn.Linear has two
    dimensions: merge the heads with their rows.
transposed: .reshape(d_model, d_model) -> .reshape(d_model, d_model).transpose(0, 1)
    Your parts are transposed. This weight is stored as torch.nn.Linear stores it, output first:
    nothing has to be turned round. (GPT-2's was the other way.)
query_key_exchanged: range(3) -> (1, 0, 2)
    Query and key have changed places. Within a head the order is query, key, value.
key_value_exchanged: range(3) -> (0, 2, 1)
    Key and value have changed places. Within a head the order is query, key, value.
value_first: range(3) -> (2, 1, 0)
    Your order is value, key, query. Within a head the order is query, key, value.
query_for_all: range(3) -> (0, 0, 0)
    You return the queries' rows three times. The rows of the keys and of the values follow them
    within each head.
turned_first: weight.reshape -> weight.transpose(0, 1).reshape
    You turn the weight round before you cut it. It is stored output first, as torch.nn.Linear
    stores it: its rows are what has to be sorted.
three_behind_rows: _three_behind_rows
    You exchange the three with the rows of a head and reshape to (3, d_model, d_model). That cuts
    between heads. Bring the three in front of the heads, or pick one of the three after the other.
first_head_only: parts[:, i].reshape(d_model, d_model) -> parts[0, i]
    You return the rows of head 0 alone. Each matrix holds those of all heads.
first_head_repeated: parts[:, i].reshape(d_model, d_model) -> parts[0, i].repeat(num_heads, 1)
    You repeat the rows of head 0 for all heads. Each head has rows of its own.
heads_reversed: parts[:, i] -> parts.flip(0)[:, i]
    Your heads come in reversed order: the rows of head 0 should be on top.
four_heads: lambda weight, num_heads: unpack_neox(weight, 4)
    You split into four heads in every case. How many there are is num_heads.
"""


def _three_behind_rows(weight, num_heads):
    d_model = weight.shape[1]
    parts = weight.reshape(num_heads, 3, -1, d_model).transpose(1, 2)
    return tuple(parts.reshape(3, d_model, d_model))


EXERCISE = Exercise(
    reference=unpack_neox,
    returns=PARTS,
    properties=(
        Property(
            "w_query holds the query rows of head 0, then those of head 1, and so on",
            2,
            random_cases(((12, 4), 2), ((18, 6), 3)),
            only="w_query",
        ),
        Property(
            "w_key and w_value hold theirs in the same way",
            1,
            random_cases(((12, 4), 2), ((18, 6), 2)),
        ),
        Property(
            "the same holds for one head, for heads of one row, and in float64",
            1,
            all_of(
                random_cases(((12, 4), 1), ((12, 4), 4)), random_cases(((36, 12), 3), dtype=float64)
            ),
        ),
    ),
    mistakes=MISTAKES,
)
