"""Lesson 04, exercise 6: three projections in one matrix, as GPT-2 stores them."""

from torch import float64

from course_checks.exercise import Exercise, Property, all_of, random_cases


def unpack_gpt2(weight):
    d_model = weight.shape[0]  # weight: (d_model, 3 * d_model)
    return tuple(weight[:, i * d_model : (i + 1) * d_model].transpose(0, 1) for i in range(3))


MISTAKES = """
not_transposed: .transpose(0, 1) ->
    You cut the right blocks, and they are still stored as GPT-2 stores them, input first. The
    matrix is square, so torch.nn.Linear would take it without a word, and compute with its
    transpose.
cut_between_rows: lambda weight: weight.chunk(3)
    You cut between rows. A row of this weight belongs to one input feature, and holds what it gives
    to query, key and value: cut between columns, or transpose first.
reshaped: lambda weight: tuple(weight.reshape(3, len(weight), len(weight)))
    You reshape to (3, d_model, d_model). That counts on along the rows, and each row of this weight
    holds a piece of all three: cut between columns.
reshaped_transposed: lambda weight: tuple(weight.reshape(3, len(weight), len(weight)).mT)
    You reshape to (3, d_model, d_model) and transpose then. The reshape counts on along the rows,
    and each row of this weight holds a piece of all three: transpose first, or cut between columns.
every_third: i * d_model : (i + 1) * d_model -> i::3
or: weight[:, i * d_model : (i + 1) * d_model].transpose(0, 1) -> weight[:, i::3]
    You take every third column. The three lie side by side in blocks of d_model columns.
query_key_exchanged: range(3) -> (1, 0, 2)
    Query and key have changed places. The order in the matrix is query, key, value.
key_value_exchanged: range(3) -> (0, 2, 1)
    Key and value have changed places. The order in the matrix is query, key, value.
value_first: range(3) -> (2, 1, 0)
    Your order is value, key, query. The order in the matrix is query, key, value.
mirrored: transpose(0, 1) -> flip(1) || flip(0) || rot90() || rot90(-1)
    You turn the blocks with flip or rot90. A transpose mirrors a matrix at its diagonal, so that
    rows become columns: .T.
first_turned_only: _first_turned_only
    You turn w_query round and leave w_key and w_value as GPT-2 stores them, input first.
query_for_all: range(3) -> (0, 0, 0)
    You return the queries' block three times. The keys' and the values' lie beside it.
one_column_early: _one_column_early
    Your blocks of the keys and of the values begin one column too early. A slice ends before its
    end, so the next one begins at that very number.
in_one_piece: lambda weight: weight.transpose(0, 1)
    You turn the weight round and leave it in one piece. Three matrices are asked for: (w_query,
    w_key, w_value).
"""


def _first_turned_only(weight):
    w_query, w_key, w_value = weight.chunk(3, dim=1)
    return w_query.transpose(0, 1), w_key, w_value


def _one_column_early(weight):
    d_model = weight.shape[0]
    starts = (0, d_model - 1, 2 * d_model - 1)
    return tuple(weight[:, start : start + d_model].transpose(0, 1) for start in starts)


_SHAPE = "(d_model, d_model)"
PARTS = {"w_query": _SHAPE, "w_key": _SHAPE, "w_value": _SHAPE}

EXERCISE = Exercise(
    reference=unpack_gpt2,
    returns=PARTS,
    properties=(
        Property(
            "x @ w_query.T is the first third of x @ weight",
            2,
            random_cases(((3, 9),), ((4, 12),)),
            only="w_query",
        ),
        Property(
            "x @ w_key.T and x @ w_value.T are the second third and the last",
            1,
            random_cases(((2, 6),), ((6, 18),)),
        ),
        Property(
            "the same holds in float64, and for a d_model of 1",
            1,
            all_of(random_cases(((5, 15),), dtype=float64), random_cases(((1, 3),))),
        ),
    ),
    mistakes=MISTAKES,
)
