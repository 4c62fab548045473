"""Read what a function returned, and compare answers."""

from typing import Any

import numpy as np
import torch

# Bound at import: a notebook that replaces torch.equal does not change the checks.
from numpy import asarray, errstate, isfinite
from torch import equal, float16, float32, float64, from_numpy, strided
from torch.nn import Module

from course_checks.exercise import Exercise, Question
from course_checks.judge.verdict import BadForm


def read_answer(
    exercise: Exercise | Question, value: Any, printed: bool = False
) -> dict[str, Any] | BadForm:
    """The answer by part, copied; or what came instead."""
    names = list(exercise.returns)
    if value is None:
        return BadForm("None", likely="printed" if printed else "")
    if exercise.observe:
        return BadForm(sentence=value) if isinstance(value, str) else value
    are_alike = len(names) > 1 and len(set(exercise.returns.values())) == 1
    if are_alike and isinstance(value, torch.Tensor) and value.dim():
        value = tuple(value)  # parts of one shape, stacked: it unpacks like a tuple
    only_one = "one of two" if len(names) == 2 else ""
    if len(names) > 1:
        if not isinstance(value, (tuple, list)):
            is_part = isinstance(value, torch.Tensor) or exercise.kind != "tensor"
            return BadForm(kind_of(value), likely=only_one if is_part else "")
        if exercise.kind == "numbers" and value and all(map(_is_number, value)):
            return BadForm(f"{kind_of(value)} of {len(value)} numbers", likely=only_one)
        if len(value) != len(names):
            return BadForm(f"{kind_of(value)} of {len(value)}")
    values = value if len(names) > 1 else [value]
    read = {
        "tensor": _read_tensor,
        "numbers": _read_numbers,
        "bool": _read_bool,
        "shapes": _read_shapes,
    }[exercise.kind]
    answer = {}
    for name, item in zip(names, values, strict=True):
        answer[name] = read(item)
        if answer[name] is None:
            got = kind_of(item)
            if isinstance(item, (tuple, list)) and item:
                got += f" whose first entry is {kind_of(item[0])}"
                if exercise.kind == "shapes" and isinstance(item[0], (tuple, list)):
                    got += f" of {', '.join(map(kind_of, item[0]))}"
            is_array = exercise.kind == "tensor" and isinstance(item, np.ndarray)
            return BadForm(got, name, "an array" if is_array else "")
    return answer


def integer_entries(exercise: Exercise, value: Any) -> dict[str, frozenset[int]]:
    """By part, which of the numbers in an answer are indices or counts."""
    if exercise.kind != "numbers":
        return {}
    values = value if len(exercise.returns) > 1 else [value]
    return {
        name: frozenset(i for i, entry in enumerate(entries) if type(entry) is int)
        for name, entries in zip(exercise.returns, values, strict=True)
    }


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) or (
        isinstance(value, torch.Tensor) and value.dim() == 0
    )


PLAIN = {torch.Tensor}  # the classes whose tensors are read; tests add that of a pretend device


def _read_tensor(value: Any) -> torch.Tensor | None:
    """A copy of no class of the student's own, or None for what holds no plain numbers in rows.

    That is a nested, sparse, quantized or meta tensor, and one that only stands for others.
    """
    if not isinstance(value, torch.Tensor):
        return None
    with torch._C.DisableTorchFunctionSubclass():  # a class of its own may answer anything
        if value.layout != strided or value.is_meta or value.is_nested or value.is_quantized:
            return None
        copy = value.detach().clone()
    return copy if type(copy) in PLAIN else None


def _read_numbers(value: Any) -> torch.Tensor | None:
    if not hasattr(value, "__len__"):  # a generator may never end
        return None
    if isinstance(value, (dict, set, str)):  # a loop over a dictionary gives its keys
        return None
    try:
        return torch.tensor([float(item) for item in value], dtype=float64, device="cpu")
    except (TypeError, ValueError, RuntimeError):
        return None


def _read_bool(value: Any) -> bool | None:
    if isinstance(value, torch.Tensor) and value.dtype == torch.bool and value.dim() == 0:
        return bool(value)
    return bool(value) if isinstance(value, (bool, np.bool_)) else None


def _read_shapes(value: Any) -> list[tuple[str, tuple[int, ...]]] | None:
    if not isinstance(value, (tuple, list)):
        return None
    try:
        pairs = [(name, shape, tuple(int(size) for size in shape)) for name, shape in value]
    except (TypeError, ValueError):
        return None
    if not all(type(name) is str and isinstance(shape, tuple) for name, shape, _ in pairs):
        return None
    return [(name, sizes) for name, _, sizes in pairs]


def same(want: Any, got: Any) -> bool:
    """Equal up to rounding, NaN equal to NaN; dtype and device are judged elsewhere."""
    if isinstance(want, torch.Tensor):
        if want.numel() == got.numel() == 0:  # no rows of lists: torch.tensor([]) has no columns
            return True
        return want.shape == got.shape and bool(close(want, got).all())
    return want == got


def close(want: torch.Tensor, got: torch.Tensor) -> torch.Tensor:
    dtypes = (want.dtype, got.dtype)
    rtol, atol = (1e-2, 2e-3) if float16 in dtypes else (1e-4, 1e-5)
    right, given = _as_array(want), _as_array(got)
    # What torch.isclose does with equal_nan=True, and takes ten times as long on small tensors.
    with errstate(invalid="ignore"):  # infinity - infinity
        near = (abs(given - right) <= atol + rtol * abs(right)) & isfinite(right)
    is_close = near | (given == right) | ((given != given) & (right != right))
    return from_numpy(asarray(is_close))  # of no dimension, it is no array


def _as_array(value: torch.Tensor) -> np.ndarray:
    """In float64; NumPy converts small tensors ten times as fast, of the dtypes that it knows."""
    if value.dtype in (float32, float64, torch.bool, torch.int64):
        return value.numpy(force=True).astype(np.float64)
    return value.to("cpu", float64).numpy(force=True)


def same_argument(before: Any, after: Any) -> bool:
    """Whether a call left what it was given as it was: of a module, its numbers and settings."""
    if isinstance(before, torch.Tensor):
        return before.shape == after.shape and equal(before, after.detach())
    if isinstance(before, Module):
        old, new = before.state_dict(), after.state_dict()
        if list(map(_settings, before.modules())) != list(map(_settings, after.modules())):
            return False
        return old.keys() == new.keys() and all(same_argument(old[k], new[k]) for k in old)
    if isinstance(before, (tuple, list)):
        return len(before) == len(after) and all(map(same_argument, before, after))
    return callable(before) or before == after


def _settings(module: Module) -> dict[str, Any]:
    """What is set in it; the mode is not, which a test may have to change."""
    kinds = (bool, str)
    return {k: v for k, v in vars(module).items() if isinstance(v, kinds) and k != "training"}


def kind_of(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, torch.Tensor):
        with torch._C.DisableTorchFunctionSubclass():
            return _kind_of_tensor(value)
    module, name = type(value).__module__, type(value).__name__
    if module not in ("builtins", "__main__"):
        name = f"{module}.{name}"
    return f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def _kind_of_tensor(value: torch.Tensor) -> str:
    if value.is_nested:
        return "a nested torch.Tensor"
    kind = "" if value.layout == strided else f"{value.layout} "
    where = "" if value.device.type == "cpu" else f" on the device {value.device}"
    return f"a {kind}torch.Tensor of shape {shape_of(value)} and dtype {value.dtype}{where}"


def words_of(error: BaseException | None) -> str:
    """What an error says; nothing where a class of the student's own cannot say it."""
    try:
        return str(error)
    except Exception:
        return ""


def shape_of(value: torch.Tensor) -> str:
    return str(tuple(value.shape))
