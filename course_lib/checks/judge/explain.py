"""Put a failure into words and tables."""

import math
import re
from typing import Any

import torch
from torch import float32, float64, isclose, isfinite, isnan

from course_lib.checks.exercise import Case, Exercise
from course_lib.checks.judge.answers import close, count_of, same, shape_of, verb, words_of
from course_lib.checks.judge.diagnose import Trial
from course_lib.checks.judge.feedback import MAX_SHOWN, Table, number


def describe_error(exercise: Exercise, case: Case, error: BaseException) -> str:
    asked = describe_input(exercise, case)
    if isinstance(error, SystemExit):
        return f"Your function called exit{asked}. Let it return the answer instead."
    if isinstance(error, RecursionError):
        return f"Your function calls itself without end{asked}."
    name, words = type(error).__name__, words_of(error).strip().split("\n")[0][:300]
    text = f"Your function stopped with an error{asked}: {name}"
    text += f": {words.removesuffix('.')}." if words else "."
    hints = [hint for pattern, hint in HINTS.items() if re.search(pattern, f"{name}: {words}")]
    if exercise.kind == "bool" and isinstance(error, AssertionError):
        hints.append("An assert stops the test when it fails: let it return False instead.")
    return " ".join([text, *hints[:1], *_foreign_sizes(case, words)])


# What torch or Python says, as a regular expression, and what a beginner can do about it.
HINTS = {
    r"mat1 and mat2 shapes|size mismatch, got input": (
        "In a product the columns of the first must be as many as the rows of the second. Which "
        "one must be transposed so that the sizes meet?"
    ),
    r"batch2 tensor": (
        "Leading dimensions stay where they are in a product. Does a .T turn all of them round? "
        "transpose(-2, -1) exchanges the last two alone; without it the sizes do not meet."
    ),
    r"size of tensor a .* must match": (
        "These two do not line up. Shapes are matched from the right: name the axes of both (the "
        "length, the heads, the features). After a sum or a maximum over the rows, keepdim=True "
        "keeps the axis, so that each row's number lines up with its row; and .T of more than two "
        "dimensions turns all of them round."
    ),
    r"shape '.*' is invalid for input of size": (
        "The sizes that you ask for must multiply to the number of entries. Has the tensor as many "
        "dimensions as you think? (x[b] loses one, x[b : b + 1] keeps it.) Where heads are split "
        "off: is head_dim d_model // num_heads?"
    ),
    r"view size is not compatible": (
        "view only counts through the numbers as they lie in memory, and a transpose leaves them "
        "where they were: use reshape, which copies where it must, or contiguous() first."
    ),
    r"must be tuple of Tensors, not Tensor": (
        "cat and stack take a list of tensors: list(x) makes one of a tensor, along its first "
        "dimension."
    ),
    r"but got tuple|and 'tuple'": (
        "One of these is a tuple. Does what made it return two things? Take the first, [0]."
    ),
    r"too many values to unpack|desired ordering of dim": (
        "There may be more leading dimensions than you name here. Count from the end: x.shape[-1], "
        "movedim(0, -2)."
    ),
    r"index -?\d+ is out of bounds": (
        "Indices go from 0 to size - 1 (gather takes none below 0). Which of yours is larger, and "
        "are the sizes those of this input?"
    ),
    r"Boolean value of Tensor with more than one value": (
        "and, or, not and if ask for a single True or False, and this tensor holds many. For each "
        "place by itself write &, | and ~."
    ),
    r"must be Tensor, not NoneType": "A .grad is None until backward() has run.",
    r"'NoneType' object is not callable": (
        "What is called here is None for this input: ask first whether it is."
    ),
    r"torch.return_types.max": (
        "max with dim returns two things, (values, indices): use amax, or .values."
    ),
    r"not implemented for '(Long|Int|Bool)'": (
        "These are whole numbers (or True and False); softmax and exp need floats: write 1.0 "
        "instead of 1, or .float()."
    ),
    r"without overflow": (
        "float16 ends at 65504, so a number such as -1e9 does not fit: minus infinity "
        "(-torch.inf, -math.inf) is there in every float dtype."
    ),
    r"expanded size of the tensor": (
        "Shapes are matched from the right. Where must a 1 stand, so that each size meets its own?"
    ),
    r"Subtraction, the `-` operator, with a bool": (
        "True and False cannot be subtracted from: turn a mask round with ~mask; for a number, "
        "write float(i == j)."
    ),
    r"must be Tensor, not (int|float)": (
        "torch's functions take tensors; for a plain number use math.sqrt, math.exp, math.log."
    ),
    r"numpy.ndarray": "What is called here takes a torch.Tensor: leave out NumPy.",
    r"can't convert .* device|Expected all tensors to be on the same device": (
        "All tensors of one step must be on the device of the inputs."
    ),
    r"Float did not match Double|same dtype|dtypes must be the same": (
        "Two dtypes meet here: make new tensors with dtype=x.dtype."
    ),
    r"^NotImplementedError$|^NotImplementedError: $": (
        "A function that yours calls is not written yet."
    ),
}


def _foreign_sizes(case: Case, words: str) -> list[str]:
    """A sentence about the shapes in an error that cannot come from the arguments."""
    shapes = [value.shape for value in case.args if isinstance(value, torch.Tensor)]
    sizes = {size for shape in shapes for size in shape}
    sizes |= {math.prod(shape[:-1]) for shape in shapes}  # torch flattens leading dimensions
    for rows, columns in re.findall(r"\b(\d+)x(\d+)\b", words):
        if {int(rows), int(columns)} - sizes:
            return [
                f"{rows}x{columns} is no shape that we passed: do you use a variable of the "
                "notebook?"
            ]
    return []


def describe_difference(
    exercise: Exercise, trial: Trial, answer: dict[str, Any], only: str | None
) -> tuple[str, list[str]]:
    """(the part that differs, sentences about how); ``only`` is the part that is asked for."""
    case, expected = trial.case, trial.expected
    wrong = [part for part in expected if not same(expected[part], answer[part])]
    part = only if only and only in wrong else wrong[0]
    want, got = expected[part], answer[part]
    asked = describe_input(exercise, case)
    if exercise.kind == "bool":
        about = f"{part}: " if len(expected) > 1 else ""
        return part, [f"Your function says {about}{got}{asked}; it should say {about}{want}."]
    if exercise.kind == "shapes":
        return part, [_first_other_pair(want, got, asked)]
    if exercise.kind == "observed":
        return part, [f"Seen{asked}: {got}"]
    if want.shape != got.shape:
        return part, [
            f"Your {part} {verb(part, 'has')} shape {shape_of(got)}{asked}; expected "
            f"{shape_of(want)}, that is {exercise.returns[part]}."
        ]
    if want.dtype == got.dtype == torch.bool:
        differ = f"{int((want != got).sum())} of {count_of(want.numel(), 'place')}"
        wrong_in = f"{verb(part, 'is')} wrong in {differ}{asked}"
        return part, [f"Your {part} {wrong_in} (in the tables, 1 means True)."]
    got, want = got.to("cpu", float64), want.to("cpu", float64)
    if bool(isnan(got).any()):
        return part, [
            f"Your {part} {verb(part, 'has')} NaN (not a number) in {int(isnan(got).sum())} of "
            f"{count_of(got.numel(), 'place')}{asked}. It comes from a step such as 0/0 "
            "or infinity - infinity."
        ]
    if bool((~isfinite(got)).any()):
        return part, [f"Your {part} became infinite{asked}."]
    if any(
        got[i] != want[i] for i in trial.integer_entries.get(part, ())
    ):  # a distance would say nothing
        right, mine = (_in_words(values, trial.integer_entries[part]) for values in (want, got))
        return part, [f"Your {part} {verb(part, 'is')} {mine}{asked}; expected {right}."]
    gap = float((got - want).abs().max())
    text = f"Your {part} {verb(part, 'is')} off by up to {number(gap)}{asked}."
    return part, [text, *_pattern(part, want, got)]


def _in_words(values: torch.Tensor, integers: frozenset[int]) -> str:
    entries = [number(value, 3, i in integers) for i, value in enumerate(values.tolist())]
    return f"({', '.join(entries)})"


def _first_other_pair(want: list, got: list, asked: str) -> str:
    text = f"Your list has {count_of(len(got), 'pair')}{asked}; expected {len(want)}."
    for i, (right, mine) in enumerate(zip(want, got, strict=False)):
        if mine != right:
            return f"{text} Pair {i} is {mine}; expected {right}."
    return text


def _pattern(part: str, want: torch.Tensor, got: torch.Tensor) -> list[str]:
    """What two matrices of numbers have in common, where it is simple."""
    for n in range(1, 6):
        # Some digit must show it: nothing but zeros and ones may be what a maximum leaves.
        has_digits = not bool(isclose(got, got.round(), atol=1e-7).all())
        if has_digits and bool(isclose(got, want.round(decimals=n), atol=1e-7).all()):
            return ["Yours are rounded: do not round what you return."]
    largest = want.abs().argmax()
    factor = float((got.reshape(-1)[largest] / want.reshape(-1)[largest]).nan_to_num())
    if want.numel() > 1 and factor and bool(close(want, got / factor).all()):
        return [f"Here each entry of your {part} is {number(factor)} times what it should be."]
    return []


def describe_input(exercise: Exercise, case: Case) -> str:
    """ " for ..." : the case's label, or the shape of each argument."""
    if case.label:
        return f" for {case.label}"
    words = []
    for name, value in zip(exercise.parameters, case.args, strict=True):
        if isinstance(value, torch.Tensor):
            dtype = "" if value.dtype == float32 else f" and dtype {value.dtype}"
            words.append(f"{name} of shape {shape_of(value)}{dtype}")
        elif isinstance(value, list):
            if isinstance(value[0], list):  # "2 keys of 3 numbers each"
                words.append(
                    f"{count_of(len(value), name.removesuffix('s'))} of "
                    f"{count_of(len(value[0]), 'number')}"
                )
            else:
                words.append(f"a {name} of {count_of(len(value), 'number')}")
        else:
            words.append(f"{name} {value}")
    return " for " + ", ".join(words)


def tables_of(
    exercise: Exercise, trial: Trial, answer: dict[str, Any], part: str
) -> tuple[tuple[Table, ...], tuple[Table, ...]]:
    """Expected and got (the matrix in which they first differ), and the inputs if small."""
    if exercise.kind in ("bool", "shapes", "observed"):
        return (), ()
    want, got = trial.expected[part], answer[part]
    wrong = ~close(want, got) if want.shape == got.shape else None
    where = () if wrong is None else tuple(wrong.nonzero()[0].tolist())
    decimals = 3
    if wrong is not None:
        pairs = list(zip(*(v[wrong].to("cpu", float64).tolist() for v in (want, got)), strict=True))
        while decimals < 8 and any(number(a, decimals) == number(b, decimals) for a, b in pairs):
            decimals += 1
    inputs = [
        _input_table(name, value)
        for name, value in zip(exercise.parameters, trial.case.args, strict=True)
    ]
    integer_columns = trial.integer_entries.get(part, _integer_columns(want))
    answers = (
        _matrix_table(f"{part}: expected", want, where, None, decimals, integer_columns),
        _matrix_table(
            f"{part}: yours", got, where, wrong, decimals, _with_added(integer_columns, want, got)
        ),
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


def _with_added(
    integer_columns: frozenset[int], want: torch.Tensor, got: torch.Tensor
) -> frozenset[int]:
    """Add the columns that only ``got`` has, where all columns of ``want`` are integers."""
    expected, found = (frozenset(range(max(x.shape, default=1))) for x in (want, got))
    return integer_columns | found if integer_columns >= expected else integer_columns


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
