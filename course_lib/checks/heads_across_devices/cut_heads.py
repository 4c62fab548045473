"""Lesson 15, exercise 1: the rows and columns that go to one device."""

from course_lib.checks.exercise import Case, Exercise, Property, randn


def cut_heads(w_query, w_key, w_value, w_out, rank, num_devices):
    width = len(w_query) // num_devices
    own = slice(rank * width, (rank + 1) * width)
    return w_query[own], w_key[own], w_value[own], w_out[:, own]


MISTAKES = """
rows_of_w_out: _cut_heads_with(out_dim=0)
or: _wrong_side(0, 0)
    You cut rows of W_O. A head is multiplied with columns of W_O: each row of W_O makes one number
    of the output, from the features of all heads.
columns_of_qkv: _cut_heads_with(qkv_dim=1)
or: _wrong_side(1, 1)
    You cut columns of W_Q, W_K and W_V. Their columns belong to the features of the input, which
    every head reads whole. A head is a block of rows.
exchanged: _cut_heads_with(qkv_dim=1, out_dim=0)
or: _wrong_side(1, 0)
    You cut columns of W_Q, W_K and W_V and rows of W_O. It is the other way round: rows make a
    head, columns read it.
in_turns: slice(rank * width, (rank + 1) * width) -> slice(rank, None, num_devices)
    You deal the rows and columns out in turns: 0, n, 2n. The rows of one head are neighbours, so
    this tears every head apart. A device gets one block.
qkv_in_turns: w_query[own], w_key[own], w_value[own] -> \
        w_query[rank::num_devices], w_key[rank::num_devices], w_value[rank::num_devices]
    Your columns of W_O are one block, but the rows of W_Q, W_K and W_V are dealt out in turns: 0,
    n, 2n. A device gets one block of rows, and the same numbers as columns.
out_in_turns: w_out[:, own] -> w_out[:, rank::num_devices]
    Your rows are one block, but the columns of W_O are dealt out in turns: 0, n, 2n. The columns
    have the same numbers as the rows.
from_one: _cut_heads_with(qkv=_PREVIOUS, out=_PREVIOUS)
or: _blocks(lambda rank, width: (rank - 1) * width, lambda rank, width: rank * width)
    You give device r the block before its own, as if ranks began with 1. They begin with 0.
backwards: _cut_heads_with(qkv=_BACKWARDS, out=_BACKWARDS)
    You give out the blocks from the end: device 0 gets the last heads.
columns_of_another: _cut_heads_with(out=_BACKWARDS)
or: _cut_heads_with(out=_PREVIOUS)
or: _cut_heads_with(out=_other(lambda rank, n: (rank + 1) % n))
    You give a device the rows of its heads, and the columns of other heads. The same numbers for
    both: what a head makes is read by its own columns.
up_to_here: rank * width, (rank + 1) -> 0, (rank + 1)
    You cut from the beginning up to the end of this device's block. It begins at rank * width.
begins_at_rank: slice(rank * width, (rank + 1) * width) -> slice(rank, rank + width)
    Your block begins at row rank. It begins at rank * width, where width is the number of rows of
    each device.
brackets_forgotten: (rank + 1) * width -> rank + 1 * width
    Your block ends at rank + width, which is also rank + 1 * width. It ends at (rank + 1) * width:
    the brackets are needed.
width_of_d_model: len(w_query) -> w_query.shape[1]
    You take the width of a block from d_model, which is w_query.shape[1]. What is divided are the
    rows, w_query.shape[0]: they may be more or fewer.
query_alone: w_key[own], w_value[own] -> w_key, w_value
    You cut W_Q and W_O and leave W_K and W_V whole. A head's keys and values are rows too.
out_whole: w_out[:, own] -> w_out
    You leave W_O whole. A device reads its own heads only, so it needs their columns only.
out_transposed: w_out[:, own] -> w_out[:, own].T
    Your columns of W_O are the right ones, and they are transposed. Keep the form of W_O: (d_model,
    features here).
nothing_cut: w_query[own], w_key[own], w_value[own], w_out[:, own] -> w_query, w_key, w_value, w_out
    You return the whole matrices. A device holds its share only.
"""


# --- wrong versions -----------------------------------------------------------------------------


def _in_order(matrix, dim, rank, n):
    return matrix.chunk(n, dim)[rank]


def _other(of_rank):
    return lambda matrix, dim, rank, n: matrix.chunk(n, dim)[of_rank(rank, n)]


def _cut_heads_with(qkv=_in_order, out=_in_order, qkv_dim=0, out_dim=1, key=None, value=None):
    """A version that cuts the matrices by other rules, or along other dimensions."""

    def version(w_query, w_key, w_value, w_out, rank, num_devices):
        return (
            qkv(w_query, qkv_dim, rank, num_devices),
            (key or qkv)(w_key, qkv_dim, rank, num_devices),
            (value or qkv)(w_value, qkv_dim, rank, num_devices),
            out(w_out, out_dim, rank, num_devices),
        )

    return version


def _wrong_side(qkv_dim, out_dim):
    """A block of the right width along the wrong dimension, which may be longer or shorter."""

    def version(w_query, w_key, w_value, w_out, rank, num_devices):
        width = len(w_query) // num_devices
        own = slice(rank * width, (rank + 1) * width)

        def cut(matrix, dim):
            return matrix[own] if dim == 0 else matrix[:, own]

        return *(cut(w, qkv_dim) for w in (w_query, w_key, w_value)), cut(w_out, out_dim)

    return version


def _blocks(begin, end=lambda rank, width: (rank + 1) * width, size=len):
    """Slices as they are written; Python cuts what goes beyond the matrix."""

    def version(w_query, w_key, w_value, w_out, rank, num_devices):
        width = size(w_query) // num_devices
        own = slice(begin(rank, width), end(rank, width))
        return w_query[own], w_key[own], w_value[own], w_out[:, own]

    return version


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


_PREVIOUS = _other(lambda rank, n: rank - 1)
_BACKWARDS = _other(lambda rank, n: n - 1 - rank)

EXERCISE = Exercise(
    lesson="15",
    number=1,
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
