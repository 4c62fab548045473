"""The matrices and inputs that a Result shows, as tables."""

from typing import Any

import torch
from torch import float64

from course_checks.exercise import Exercise
from course_checks.judge.answers import close
from course_checks.judge.feedback import MAX_SHOWN, Table, number
from course_checks.judge.verdict import Trial


def tables_of(
    exercise: Exercise, trial: Trial, part: str
) -> tuple[tuple[Table, ...], tuple[Table, ...]]:
    """Expected and got (the matrix in which they first differ), and the inputs if small."""
    want, got = trial.expected[part], (trial.outcome.answer or {})[part]
    if not isinstance(want, torch.Tensor):
        return (), ()
    wrong = ~close(want, got) if want.shape == got.shape else None
    where = () if wrong is None else tuple(wrong.nonzero()[0].tolist())
    decimals = 3
    if wrong is not None:
        pairs = list(zip(*(v[wrong].to("cpu", float64).tolist() for v in (want, got)), strict=True))
        while decimals < 8 and any(number(a, decimals) == number(b, decimals) for a, b in pairs):
            decimals += 1
    inputs = [
        _input_table(name, value)
        for name, value in zip(exercise.arguments, trial.case.args, strict=True)
    ]
    integer_columns = trial.integer_entries.get(part, _integer_columns(want))
    columns, given_columns = (frozenset(range(max(x.shape, default=1))) for x in (want, got))
    # Where all columns of ``want`` are integers, so are those that only ``got`` has.
    added = given_columns if integer_columns >= columns else frozenset()
    answers = (
        _matrix_table(f"{part}: expected", want, where, None, decimals, integer_columns),
        _matrix_table(f"{part}: yours", got, where, wrong, decimals, integer_columns | added),
    )
    return answers, tuple(table for table in inputs if table)


def _input_table(name: str, value: Any) -> Table | None:
    """A table of the argument when it is a vector or matrix of at most 24 numbers."""
    if isinstance(value, list):
        value = torch.tensor(value, device="cpu")
    if not isinstance(value, torch.Tensor) or value.dim() > 2 or value.numel() > 24:
        return None
    return _matrix_table(f"input {name}", value, integer_columns=_integer_columns(value))


def _integer_columns(value: torch.Tensor) -> frozenset[int]:
    """All columns of a table of integers or booleans, which 1 and 0 stand for, else none."""
    return (
        frozenset() if value.is_floating_point() else frozenset(range(max(value.shape, default=1)))
    )


def _matrix_table(
    caption: str,
    value: torch.Tensor,
    where: tuple[int, ...] = (),
    wrong: torch.Tensor | None = None,
    decimals: int = 3,
    integer_columns: frozenset[int] = frozenset(),
) -> Table:
    """At most 8 x 8 entries around ``where``, of the matrix that ``where`` points into."""
    value = value.detach().to("cpu", float64)
    leading = max(value.dim() - 2, 0)
    if leading:
        lead = where[:leading] or (0,) * leading
        value, wrong = value[lead], None if wrong is None else wrong[lead]
        caption += f" [{', '.join(map(str, lead))}]"
    value = value.reshape(1, -1) if value.dim() < 2 else value
    row, column = ((0, 0) + where)[-2:]
    top = max(0, min(row - MAX_SHOWN // 2, value.shape[0] - MAX_SHOWN))
    left = max(0, min(column - MAX_SHOWN // 2, value.shape[1] - MAX_SHOWN))
    window = (slice(top, top + MAX_SHOWN), slice(left, left + MAX_SHOWN))
    if value[window].shape != value.shape:
        caption += f" (from row {top}, column {left})"
    marked = set()
    if wrong is not None:
        cut = wrong.reshape(value.shape)[window]
        marked = {(i, j) for i, j in cut.nonzero().tolist()}
    integer_columns = frozenset(column - left for column in integer_columns)
    return Table(caption, value[window].tolist(), frozenset(marked), decimals, integer_columns)
