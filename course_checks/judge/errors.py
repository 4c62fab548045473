"""Put an error into words, with a hint where a beginner can do something about it."""

import math
import re

import torch

from course_checks.exercise import Case, Exercise
from course_checks.judge.answers import words_of


def describe_error(exercise: Exercise, case: Case, error: BaseException, for_input: str) -> str:
    """What the error says, after ``for_input``: " for ...", which names the input."""
    if isinstance(error, SystemExit):
        return f"Your function called exit{for_input}. Let it return the answer instead."
    if isinstance(error, RecursionError):
        return f"Your function calls itself without end{for_input}."
    name, words = type(error).__name__, words_of(error).strip().split("\n")[0][:300]
    text = f"Your {exercise.noun} stopped with an error{for_input}: {name}"
    text += f": {words.removesuffix('.')}." if words else "."
    hints = [hint for pattern, hint in HINTS.items() if re.search(pattern, f"{name}: {words}")]
    if exercise.kind == "bool" and isinstance(error, AssertionError):
        hints.append("An assert stops the test when it fails: let it return False instead.")
    return " ".join([text, *hints[:1], *_foreign_sizes(case, words)])


# What torch or Python says, as a regular expression, and what a beginner can do about it.
HINTS = {
    r"before Module.__init__\(\) call": (
        "super().__init__() must be the first line of your __init__: it makes room for the layers."
    ),
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
    r"too many values to unpack|desired ordering of dim|Dimension out of range|be a 3D tensor": (
        "There may be more leading dimensions than you name here, or fewer. Count from the end: "
        "x.shape[-1], transpose(-2, -1), movedim(0, -2)."
    ),
    r"must be greater or equal to the number of dimensions": (
        "The tensor has more dimensions than you ask for: did you insert one where it was complete?"
    ),
    r"core dimension": "NumPy computes here: make the inputs with torch, such as torch.randn.",
    r"index -?\d+ is out of bounds": (
        "Indices go from 0 to size - 1 (gather takes none below 0). Which of yours is larger, and "
        "are the sizes those of this input?"
    ),
    r"Boolean value of Tensor with more than one value": (
        "and, or, not and if ask for a single True or False, and this tensor holds many. For each "
        "place by itself write &, | and ~, with brackets round each comparison: a == b & c < d is "
        "read as a == (b & c) < d, which asks for a single one too."
    ),
    r"must be Tensor, not NoneType": "A .grad is None until backward() has run.",
    r"'tuple' object has no attribute|tuple indices must be integers": (
        "A function that you call returns several things, in a tuple: unpack it, a, b = ..., or "
        "take one of them, [0]."
    ),
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
    r"Got fp\d+ and fp\d+": (
        "tl.dot takes two tiles of one dtype: bring the weights to that of v with .to(v.dtype). "
        "What tl.dot returns is float32 all the same."
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
