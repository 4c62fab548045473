"""Lesson 06, exercise 4: which axis of a map belongs to the queries? Found out, not believed."""

from torch import allclose, ones, randn_like

from course_checks.exercise import Exercise, Property
from course_checks.exercises.cross_attention.attention_cases import no_choice, no_sign, usual


def rows_are_queries(attend, x, memory):
    moved = _moved_by_one_query(attend, x, memory)
    return bool(moved.any(dim=1).sum() == 1)


MISTAKES = """
always_rows: lambda attend, x, memory: True
    Your test says True to every map. Does it compare the weights, not the output? Does it count?
    When a column moves, an entry of row i moves too, and of every other row.
never_rows: lambda attend, x, memory: False
    Your test says False to every map. Which changes do you make: with one token of x changed, one
    row (or one column) moves; with all of them, everything does.
inverted: lambda *args: not rows_are_queries(*args)
    Your test is right the wrong way round: True means that the rows are the queries.
by_shape: lambda attend, x, memory: attend(x, memory)[1].shape[0] == len(x)
    You compare the shape of the map with the lengths. When both sequences are equally long the
    shape is the same either way: ask the layer instead, with another x.
by_row_sums: lambda attend, x, memory: _sums_to_one(attend(x, memory)[1], -1)
    You look whether the rows sum to 1. The columns may do so as well, and with a sigmoid in the
    place of the softmax neither does: change a query and see what moves.
by_column_sums: lambda attend, x, memory: not _sums_to_one(attend(x, memory)[1], 0)
    You look whether the columns do not sum to 1. They may do so in a right map, and in a wrong one
    need not: change a query and see what moves.
by_output: _by_output
    You look whether weights @ memory is the output. Where the map equals itself transposed, as in
    reversal, that holds both ways round: change a query and see what moves.
all_at_once: _all_at_once
    You change all tokens of x at once, so all rows move, and all columns. Change one token and
    leave the others: then a single row moves, or a single column.
same_token: _walk(_plus_1) || _walk(_plus_1, otherwise=True) || _walk(_twice)
or: _walk(_twice, otherwise=True)
    You add the same number to all features of a token, or multiply them all by one. A LayerNorm
    takes that out again, and nothing moves: put other random numbers there.
first_two_only: _walk(torch.randn_like, tried=lambda x: 2)
or: _walk(torch.randn_like, tried=lambda x: 2, otherwise=True)
    You try the first two tokens of x only. Both may have one key alone, and nothing moves: go on to
    the others then.
own_row_only: _walk(torch.randn_like, otherwise=False, verdict=_own_row)
or: _walk(torch.randn_like, otherwise=True, verdict=_own_row)
    You ask only whether something in row i moves. When column i moves, one entry of row i does so
    too: count the rows that move.
all_must_move: _all_must_move
    Your test says False as soon as one query moves nothing. A query with one key alone has the
    weight 1 whatever it asks: go on to the next.
too_coarse: _walk(torch.randn_like, limit=0.3, otherwise=True) || _walk(torch.randn_like, limit=0.3)
    You count large changes only. A weight may move by little: anything above rounding, 1e-5, has
    moved.
nearer_sums: _nearer_sums
    You look whose sums are nearer to 1, those of the rows or those of the columns. Both may be 1,
    and with a sigmoid in the place of the softmax neither is: change a query and see what moves.
one_query_only: lambda attend, x, memory: _one_moves(attend, x, memory, 0, 0) || \
        lambda attend, x, memory: _one_moves(attend, x, memory, 0, 1) || \
        lambda attend, x, memory: _one_moves(attend, x, memory, 0, -1) || _sums_then_last
    You change one token of x only. Where it has one key alone its weight is 1 whatever it asks, and
    nothing moves: go on to another token then.
output_compared: lambda attend, x, memory: _one_moves(attend, x, memory, 0, 0, part=0) || \
        lambda attend, x, memory: _one_moves(attend, x, memory, 0, -1, part=0)
    You change a token of x and look at the outputs, or at its own row of the weights alone. Some of
    these move however the map lies: compare the weights, and count the rows that move.
memory_rows: lambda attend, x, memory: _one_moves(attend, x, memory, 1, 0)
    You change a token of the memory. All queries share out their weight among the same keys, so all
    rows and all columns may move: change a token of x.
memory_columns: lambda attend, x, memory: _one_moves(attend, x, memory, 1, 0, dim=0)
    You change a token of the memory and look for a column that moves alone. But each query shares
    out one unit: where one key gets more, the others get less. Change a token of x.
permuted: _permuted || _two_exchanged
    You move the tokens of x and look whether the rows move along. Under a mask that depends on the
    position they do not: change a token of x where it stands.
"""


def _moved_by_one_query(attend, x, memory):
    """Which weights move with one token of x, the first for which any do (or the last)."""
    before = attend(x, memory)[1]
    for i in range(len(x)):
        changed = x.clone()
        changed[i] = randn_like(x[i])
        moved = (attend(changed, memory)[1] - before).abs() > 1e-5
        if moved.any():
            break
    return moved


def _sums_to_one(weights, dim):
    return allclose(weights.sum(dim=dim), ones(()).to(weights), atol=1e-4)


def _one_moves(attend, x, memory, which, place, part=1, dim=1):
    """Whether a change of one token of ``which`` (0 is x, 1 the memory) moves one row alone.

    part: 1 looks at the weights, 0 at the output. dim: 1 counts rows, 0 columns.
    """
    changed = [x.clone(), memory.clone()]
    changed[which][place] = randn_like(changed[which][place])
    moved = (attend(*changed)[part] - attend(x, memory)[part]).abs() > 1e-5
    return bool(moved.any(dim=dim).sum() == 1)


def _all_at_once(attend, x, memory):
    moved = (attend(randn_like(x), memory)[1] - attend(x, memory)[1]).abs() > 1e-5
    return bool(moved.any(dim=1).sum() == 1)


def _walk(change, limit=1e-5, tried=len, otherwise=False, verdict=None):
    """A test that changes one token after the other by ``change(token)`` until something moves.

    ``tried(x)`` tokens are tried; when none of them moves anything, it says ``otherwise``.
    ``verdict(moved, i)`` is what it makes of the weights that moved with token i.
    """

    def test(attend, x, memory):
        before = attend(x, memory)[1]
        for i in range(tried(x)):
            changed = x.clone()
            changed[i] = change(x[i])
            moved = (attend(changed, memory)[1] - before).abs() > limit
            if moved.any():
                return bool(verdict(moved, i) if verdict else moved.any(dim=1).sum() == 1)
        return otherwise

    return test


def _own_row(moved, i):
    return moved[i : i + 1].any()


def _all_must_move(attend, x, memory):
    before = attend(x, memory)[1]
    for i in range(len(x)):
        changed = x.clone()
        changed[i] = randn_like(x[i])
        moved = (attend(changed, memory)[1] - before).abs() > 1e-5
        if not moved[i : i + 1].any():
            return False
    return True


def _nearer_sums(attend, x, memory):
    weights = attend(x, memory)[1]
    rows, columns = ((weights.sum(dim=dim) - 1).abs().max() for dim in (1, 0))
    return bool(rows <= columns)


def _two_exchanged(attend, x, memory):
    order = [1, 0, *range(2, len(x))]
    before, after = attend(x, memory)[1], attend(x[order], memory)[1]
    return allclose(after[:2], before[[1, 0]], atol=1e-5)


def _plus_1(token):
    return token + 1


def _twice(token):
    return token * 2


def _permuted(attend, x, memory):
    before, after = attend(x, memory)[1], attend(x.roll(1, 0), memory)[1]
    return before.shape[0] == len(x) and allclose(after, before.roll(1, 0), atol=1e-5)


def _by_output(attend, x, memory):
    output, weights = attend(x, memory)
    return weights.shape[1] == len(memory) and allclose(output, weights @ memory, atol=1e-4)


def _sums_then_last(attend, x, memory):
    rows, columns = (_sums_to_one(attend(x, memory)[1], dim) for dim in (1, 0))
    return rows if rows != columns else _one_moves(attend, x, memory, 0, -1)


EXERCISE = Exercise(
    reference=rows_are_queries,
    returns={"its answer": "True or False"},
    kind="bool",
    properties=(
        Property("it finds the axis, also when both sequences are equally long", 1, usual),
        Property("it also finds it where neither sums nor the output tell", 2, no_sign),
        Property(
            "it also finds it where some queries cannot choose, and behind a LayerNorm",
            1,
            no_choice,
        ),
    ),
    mistakes=MISTAKES,
)
