"""Lesson 15, exercise 1: the rows and columns that go to one device."""

from course_checks.exercise import Case, Exercise, Property, randn


def cut_heads(w_query, w_key, w_value, w_out, rank, num_devices):
    width = len(w_query) // num_devices
    own = slice(rank * width, (rank + 1) * width)
    return w_query[own], w_key[own], w_value[own], w_out[:, own]


MISTAKES = """
rows_of_w_out: w_out[:, own] -> w_out.chunk(num_devices)[rank] || w_out[own]
    You cut rows of W_O. A head is multiplied with columns of it: each row makes one number of the
    output, from all heads.
columns_of_qkv: w_query[own], w_key[own], w_value[own] -> \
                *(w.chunk(num_devices, 1)[rank] for w in (w_query, w_key, w_value))
or: w_query[own], w_key[own], w_value[own] -> w_query[:, own], w_key[:, own], w_value[:, own]
    You cut columns of W_Q, W_K and W_V, which belong to the input. A head is a block of rows.
exchanged: w_query[own], w_key[own], w_value[own], w_out[:, own] -> *(w.chunk(num_devices, \
        1)[rank] for w in (w_query, w_key, w_value)), w_out.chunk(num_devices)[rank]
or: w_query[own], w_key[own], w_value[own], w_out[:, own] -> \
                w_query[:, own], w_key[:, own], w_value[:, own], w_out[own]
    You cut columns of W_Q, W_K and W_V and rows of W_O. It is the other way round.
in_turns: slice(rank * width, (rank + 1) * width) -> slice(rank, None, num_devices)
or: w_query[own], w_key[own], w_value[own] -> \
        w_query[rank::num_devices], w_key[rank::num_devices], w_value[rank::num_devices]
or: w_out[:, own] -> w_out[:, rank::num_devices]
    You deal rows or columns out in turns: 0, n, 2n. That tears every head apart: a device gets one
    block.
from_one: own = -> rank = (rank - 1) % num_devices; own =
or: rank * width, (rank + 1) * width -> (rank - 1) * width, rank * width
    You give device r the block before its own, as if ranks began with 1.
backwards: own = -> rank = num_devices - 1 - rank; own =
    You give out the blocks from the end: device 0 gets the last heads.
columns_of_another: w_out[:, own] -> w_out.chunk(num_devices, 1)[num_devices - 1 - rank]
or: w_out[:, own] -> w_out.chunk(num_devices, 1)[rank - 1]
or: w_out[:, own] -> w_out.chunk(num_devices, 1)[(rank + 1) % num_devices]
    You give a device the rows of its heads, and the columns of other heads. Both have the same
    numbers.
up_to_here: rank * width, (rank + 1) -> 0, (rank + 1)
    You cut from the beginning up to the end of this device's block. It begins at rank * width.
begins_at_rank: slice(rank * width, (rank + 1) * width) -> slice(rank, rank + width)
    Your block begins at row rank. It begins at rank * width.
brackets_forgotten: (rank + 1) * width -> rank + 1 * width
    Your block ends at rank + width. It ends at (rank + 1) * width: the brackets are needed.
width_of_d_model: len(w_query) -> w_query.shape[1]
    You take the width of a block from d_model. What is divided are the rows, w_query.shape[0].
query_alone: w_key[own], w_value[own] -> w_key, w_value
    You cut W_Q and W_O and leave W_K and W_V whole. A head's keys and values are rows too.
out_whole: w_out[:, own] -> w_out
    You leave W_O whole. A device needs the columns of its own heads only.
out_transposed: w_out[:, own] -> w_out[:, own].T
    Your columns of W_O are the right ones, and transposed. Keep (d_model, features here).
nothing_cut: w_query[own], w_key[own], w_value[own], w_out[:, own] -> w_query, w_key, w_value, w_out
    You return the whole matrices. A device holds its share only.
"""


def _cases(*sizes):
    """(features of all heads, d_model, devices) each, every rank once."""

    def make(generator):
        cases = []
        for features, d_model, n in sizes:
            qkv = [randn(generator, features, d_model) for _ in range(3)]
            out = randn(generator, d_model, features)
            cases += [
                Case((*qkv, out, rank, n), label=f"device {rank} of {n}, d_model {d_model}")
                for rank in range(n)
            ]
        return cases

    return make


EXERCISE = Exercise(
    reference=cut_heads,
    returns={
        "w_query": "(features here, d_model)",
        "w_key": "(features here, d_model)",
        "w_value": "(features here, d_model)",
        "w_out": "(d_model, features here)",
    },
    properties=(
        Property("two devices, each with half of the heads", 2, _cases((4, 4, 2), (8, 8, 2))),
        Property("three and four devices", 2, _cases((6, 6, 3), (8, 8, 4))),
        Property(
            "the heads together may be wider or narrower than the model",
            1,
            _cases((6, 4, 2), (4, 7, 2), (9, 5, 3)),
        ),
        Property("one device holds everything", 1, _cases((4, 4, 1), (3, 5, 1))),
    ),
    mistakes=MISTAKES,
)
