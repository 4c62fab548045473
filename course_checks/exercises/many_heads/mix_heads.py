"""Lesson 03, exercise 2: W_O mixes the heads, and its output is a sum of what each head adds."""

from torch import float64, stack, zeros_like

from course_checks.exercise import Case, Exercise, Property, all_of, randn
from course_checks.judge.gradient import detached


def mix_heads(heads, w_out):
    output = _side_by_side(heads) @ w_out.transpose(-2, -1)  # (..., T, d_model)
    return output, _added_through(_columns, heads, w_out)


MISTAKES = """
not_transposed: lambda heads, w_out: mix_heads(heads, w_out.T)
    You multiply by W_O as it is. torch.nn.Linear stores a weight as (out_features, in_features), so
    its columns belong to what comes in, here the heads. Untransposed it fits only when it is
    square, and is wrong even then.
rows_of_w_out: _added_through(_columns, -> _added_through(_rows,
or: _with_blocks(_rows)
or: _added_through(_columns, heads, w_out) -> _chunks_of_rows(heads, w_out)
or: _added_through(_columns, -> _added_through(_rows_where_they_fit,
    Your contribution i goes through rows of W_O. What comes in meets the columns of nn.Linear's
    weight: head i owns columns i * head_dim to (i + 1) * head_dim.
without_w_out: @ w_out.transpose(-2, -1) -> && _added_through(_columns, heads, w_out) -> \
        _own_slices(heads)
or: @ w_out.transpose(-2, -1) ->
    You hand back the joined heads without W_O. Then each head is stuck in its own slice of the
    output, and what one head found cannot reach the features of another.
first_block_for_all: _added_through(_columns, -> _added_through(_first_column_block,
or: _with_blocks(_first_column_block)
    All your heads go through the columns of head 0. Every head has its own block of W_O: with a
    common one the heads are only added up.
every_nth_column: _added_through(_columns, -> _added_through(_every_nth,
or: _with_blocks(_every_nth)
    Head i gets every num_heads-th column of W_O, from column i on. The joined heads lie one after
    the other, so head i owns a whole block of head_dim columns.
reshaped_w_out: _with_blocks(_reshaped_blocks)
or: _added_through(_columns, -> _added_through(_reshaped_blocks,
or: _with_blocks(_reshaped_rows) || _added_through(_columns, -> _added_through(_reshaped_rows,
    You reshape W_O with num_heads in front. A reshape counts along the rows, so the blocks hold the
    wrong numbers: split the last dimension in two first, (d_model, num_heads, head_dim), or slice
    the columns.
mean_of_contributions: return output -> return _added_through(_columns, heads, w_out).mean(dim=0)
    Your contributions are right, and your output is their mean. A product with the joined heads
    adds them up.
swapped: output, _added_through(_columns, heads, w_out) -> \
        _added_through(_columns, heads, w_out), output
    The two answers are in the other order: the output comes first.
equal_shares: _added_through(_columns, heads, w_out) -> stack([output / len(heads)] * len(heads))
    Your contributions are the output divided by the number of heads. They add up to it, and none of
    them says what its head adds: contribution i comes from head i alone.
without_this_head: _added_through(_columns, heads, w_out) -> \
        output - _added_through(_columns, heads, w_out)
    Your contribution i is what the other heads add: the output without head i. Subtract that from
    the output.
before_w_out: _added_through(_columns, heads, w_out) -> _own_slices(heads)
    Your contributions are the heads before W_O, each in its own slice. What head i adds to the
    output has been through its columns of W_O.
blocks_reversed: _added_through(_columns, -> _added_through(_reversed,
or: _with_blocks(_reversed)
    Your heads meet the blocks of W_O in reverse order: head 0 owns the first one.
running_sums: _added_through(_columns, heads, w_out) -> \
        _added_through(_columns, heads, w_out).cumsum(dim=0)
    Contribution i of yours holds all heads up to i. It should hold what head i adds, and nothing
    else.
heads_last: _added_through(_columns, heads, w_out) -> \
        _added_through(_columns, heads, w_out).movedim(0, -1) || \
        _added_through(_columns, heads, w_out).movedim(0, -2)
    Your contributions have the heads behind the tokens. They come first: stack them along dim=0.
interleaved: _side_by_side(heads) -> heads.movedim(0, -1).flatten(-2)
    Your contributions are right, and for the output the heads are interleaved: number 0 of each,
    then number 1 of each. Join them one after the other: torch.cat along dim=-1.
first_sentence: _added_through(_columns, heads, w_out) -> \
        _of_first_sentence(_added_through(_columns, heads, w_out))
    All sentences of the batch get the contributions of the first one. Each has its own.
joined_by_reshape: _side_by_side(heads) -> heads.reshape(*heads.shape[1:-1], -1)
    Your contributions are right, and for the output you join the heads by a reshape alone. It keeps
    the numbers in their order in memory, and mixes tokens and heads. Join them along the last
    dimension, as in exercise 1.
"""


def _side_by_side(heads):
    return heads.movedim(0, -2).flatten(-2)  # (..., T, num_heads * head_dim)


def _added_through(block_of, heads, w_out):
    """What each head adds, when ``block_of(w_out, i, head_dim)`` is what it owns of w_out."""
    size = heads.shape[-1]
    blocks = [block_of(w_out, i, size) for i in range(len(heads))]
    return stack([head @ block.T for head, block in zip(heads, blocks, strict=True)])


def _columns(w_out, i, size):
    return w_out[:, i * size : (i + 1) * size]


def _rows(w_out, i, size):
    return w_out[i * size : (i + 1) * size].T


def _with_blocks(block_of):
    """A version whose output is the sum of what its heads add."""

    def version(heads, w_out):
        added = _added_through(block_of, heads, w_out)
        return added.sum(dim=0), added

    return version


def _reshaped_blocks(w_out, i, size):
    return w_out.reshape(-1, *w_out.shape[:1], size)[i]


def _every_nth(w_out, i, size):
    return w_out[:, i :: w_out.shape[1] // size]


def _chunks_of_rows(heads, w_out):
    blocks = w_out.chunk(len(heads), dim=0)
    return stack([head @ block for head, block in zip(heads, blocks, strict=False)])


def _rows_where_they_fit(w_out, i, size):
    rows = w_out[i * size : (i + 1) * size]
    return rows.T if rows.shape == (size, w_out.shape[0]) else _columns(w_out, i, size)


def _first_column_block(w_out, i, size):
    return _columns(w_out, 0, size)


def _reshaped_rows(w_out, i, size):
    return w_out.reshape(-1, size, w_out.shape[0])[i].T


def _of_first_sentence(added):
    return added[:, :1].expand(added.shape) if added.dim() > 3 else added


def _own_slices(heads):
    """Each head in its own slice of the joined features, zeros elsewhere."""
    slices = [zeros_like(heads) for _ in heads]
    for i, part in enumerate(slices):
        part[i] = heads[i]
    return stack([_side_by_side(part) for part in slices])


def _cases(*sizes, dtype=None):
    """(shape of the heads, d_model) each."""

    def make(generator):
        for shape, d_model in sizes:
            joined = shape[0] * shape[-1]
            w_out = randn(generator, d_model, joined) / joined**0.5
            yield Case((randn(generator, *shape).to(dtype), w_out.to(dtype)))

    return make


def _reversed(w_out, i, size):
    return w_out.unflatten(1, (-1, size)).flip(1)[:, i]


EXERCISE = Exercise(
    reference=mix_heads,
    returns={"output": "(..., T, d_model)", "contributions": "(num_heads, ..., T, d_model)"},
    properties=(
        Property(
            "the output is the joined heads times W_O, as torch.nn.Linear does it",
            1,
            _cases(((2, 3, 2), 5), ((3, 2, 2), 4)),
            only="output",
        ),
        Property(
            "contribution i is head i times its own columns of W_O",
            2,
            _cases(((2, 3, 2), 5), ((3, 2, 2), 4)),
            only="contributions",
        ),
        Property(
            "the same holds when W_O is square, where shapes cannot tell a mistake",
            1,
            _cases(((2, 3, 2), 4), ((3, 3, 3), 9)),
        ),
        Property(
            "the same holds with leading dimensions, for one head, and in float64",
            1,
            all_of(
                _cases(((2, 2, 3, 2), 4), ((1, 3, 4), 4), ((3, 3, 2, 3, 2), 7)),
                _cases(((2, 1, 1, 2), 3)),
                _cases(((2, 3, 2), 4), dtype=float64),
            ),
        ),
        Property(
            "gradients reach the heads and W_O, through both answers",
            1,
            gradient=_cases(((2, 3, 2), 5)),
        ),
    ),
    mistakes=(MISTAKES, detached("heads", "w_out")),
)
