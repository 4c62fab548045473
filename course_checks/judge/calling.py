"""Call a student's function so that nothing it does reaches the notebook or the next call.

Here runs the border between the judge and whoever is judged. Where a notebook is graded, the
function stands in another process, and all that is done with it is done there, ``beside`` it.
"""

import contextlib
import copy
import inspect
import io
import linecache
import os
import random
import sysconfig
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

import course_lib
from course_checks.exercise import Exercise, Question
from course_checks.judge.answers import read_answer, same_argument
from course_checks.judge.verdict import BadForm, Outcome
from course_checks.judge.watchdog import Watchdog


class Elsewhere:
    """A function that stands in another process."""

    def run(self, work: Callable, *args) -> Any:
        """What ``work(*args)`` returns there; among the arguments this object is the function."""
        raise NotImplementedError


def beside(function: Any, work: Callable, *args) -> Any:
    """``work(*args)`` in the process where ``function`` stands, which is this one as a rule."""
    return function.run(work, *args) if isinstance(function, Elsewhere) else work(*args)


def call(
    exercise: Exercise | Question,
    function: Callable | Elsewhere,
    args: tuple,
    call_seed: int,
    watchdog: Watchdog | None = None,
) -> Outcome:
    """Call ``function`` on its own copy of ``args``, with its output caught.

    The ``watchdog`` sets the time limit; our own functions need none.
    """
    outcome = beside(function, _call, exercise, function, args, call_seed, watchdog)
    if outcome.answer is None or isinstance(exercise, Question) or exercise.conclude is None:
        return outcome
    answer = exercise.conclude(outcome.answer, *args)
    if isinstance(answer, str):
        return replace(outcome, answer=None, bad_form=BadForm(sentence=answer))
    return replace(outcome, answer=answer)


def _call(
    exercise: Exercise | Question,
    function: Callable,
    args: tuple,
    call_seed: int,
    watchdog: Watchdog | None,
) -> Outcome:
    given = copy_of(args)
    sink = _Sink()
    torch.default_generator.manual_seed(call_seed)
    random.seed(call_seed)
    np.random.seed(call_seed % 2**32)
    begun = time.process_time()
    try:
        with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink):
            if watchdog is None:
                returned = exercise.answer(function, given)
            else:
                returned = watchdog.call(lambda: exercise.answer(function, given))
        answer = read_answer(exercise, returned, sink.has_text)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit and TimeLimit too
        return Outcome(
            error=error,
            code=students_line(error),
            seconds=time.process_time() - begun,
            is_stub=is_stub(function, error),
        )
    finally:
        torch.set_grad_enabled(True)
        torch.set_default_dtype(torch.float32)
    seconds = time.process_time() - begun
    changed = next(
        (
            name
            for name, before, after in zip(exercise.arguments, args, given, strict=True)
            if name not in exercise.may_modify and not same_argument(before, after)
        ),
        "",
    )
    if isinstance(answer, BadForm):
        return Outcome(bad_form=answer, changed=changed, seconds=seconds)
    return Outcome(answer=answer, changed=changed, seconds=seconds)


def is_stub(function: Callable, error: BaseException | None) -> bool:
    """Whether it is the exercise's own ``raise NotImplementedError()``: torch raises it too.

    Of a class, in any of its methods.
    """
    if type(error) is not NotImplementedError or error.args:
        return False
    step = error.__traceback__
    while step and step.tb_next:
        step = step.tb_next
    parts = vars(function).values() if isinstance(function, type) else [inspect.unwrap(function)]
    written = [getattr(part, "__code__", None) for part in parts]
    return step is not None and step.tb_frame.f_code in written


def copy_of(value: Any, memo: dict | None = None) -> Any:
    """A copy that shares no memory; a function is its own copy.

    Objects that know one another do so in the copy too: ``memo`` is deepcopy's.
    """
    memo = {} if memo is None else memo
    if isinstance(value, torch.Tensor):
        return value.detach().clone()
    if isinstance(value, (tuple, list)):
        return type(value)(copy_of(item, memo) for item in value)
    if isinstance(value, nn.Module) and not hasattr(value, "__deepcopy__"):
        return _copy_of_module(value, memo)
    return copy.deepcopy(value, memo)


_HOOKS = {name for name, held in vars(nn.Module()).items() if held == {}}  # and parameters, modules


def _copy_of_module(module: nn.Module, memo: dict) -> nn.Module:
    """As deepcopy, which takes most of its time for the dozen empty dictionaries of each module."""
    if id(module) not in memo:
        copied = memo[id(module)] = module.__new__(type(module))
        for name, held in vars(module).items():
            if name in _HOOKS and not held:
                vars(copied)[name] = type(held)()
            elif name == "_modules":
                vars(copied)[name] = {key: copy_of(part, memo) for key, part in held.items()}
            else:
                vars(copied)[name] = copy.deepcopy(held, memo)
    return memo[id(module)]


def holds_code(value: Any) -> bool:
    """Whether a function, a module or another object is among what is given."""
    if isinstance(value, (tuple, list)):
        return any(map(holds_code, value))
    return callable(value) or type(value).__module__ not in ("builtins", "torch")


def in_float64(value: Any) -> Any:
    """The same with every float32 tensor in float64."""
    if isinstance(value, torch.Tensor):
        return value.double() if value.dtype == torch.float32 else value
    if isinstance(value, (tuple, list)):
        return type(value)(map(in_float64, value))
    return value


class _Sink(io.TextIOBase):
    """Takes what the function prints (stderr would cost all points) and keeps none of it."""

    has_text = False

    def write(self, text: str) -> int:
        self.has_text = True
        return len(text)


def _on_cpu() -> contextlib.AbstractContextManager:
    """Only where it is needed: torch.device as a context makes every operation slower."""
    try:
        is_needed = torch.get_default_device().type != "cpu"
    except (AssertionError, RuntimeError):  # a default that is not there, such as "cuda"
        is_needed = True
    return torch.device("cpu") if is_needed else contextlib.nullcontext()


@contextlib.contextmanager
def untouched_globals():
    """Leave the random generators, the grad mode and the defaults as they were.

    The exercises are computed on the CPU, whatever device is the notebook's default.
    """
    grad, dtype = torch.is_grad_enabled(), torch.get_default_dtype()
    python_state, numpy_state = random.getstate(), np.random.get_state()
    cuda = range(torch.cuda.device_count()) if torch.cuda.is_initialized() else []
    with _on_cpu(), torch.random.fork_rng(devices=list(cuda)), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            torch.set_grad_enabled(True)
            torch.set_default_dtype(torch.float32)  # what the exercises speak of
            yield
        finally:
            torch.set_grad_enabled(grad)
            torch.set_default_dtype(dtype)
            random.setstate(python_state)
            np.random.set_state(numpy_state)


FROM_THE_JUDGE = (
    "<course_checks>"  # the file of code that a judge has sent to the function's process
)
# Folders, with the separator at the end: `course_lib_notes` of a student begins with `course_lib`.
_NOT_STUDENTS = (FROM_THE_JUDGE,) + tuple(
    f"{folder}{os.sep}"
    for folder in (
        Path(__file__).resolve().parents[1],
        Path(course_lib.__file__).resolve().parent,
        Path(torch.__file__).resolve().parent,
        *(sysconfig.get_path(key) for key in ("stdlib", "purelib", "platlib")),
    )
)


def is_library(path: str) -> bool:
    """Whether a source file belongs to Python, an installed package or this course."""
    return path.startswith(_NOT_STUDENTS)


def students_line(error: BaseException) -> str:
    """The innermost line of the traceback that is not in a library: "line 3: ..." or ""."""
    line_of_student, step = "", error.__traceback__
    while step is not None:
        path, line = step.tb_frame.f_code.co_filename, step.tb_lineno
        if not is_library(path):
            text = linecache.getline(path, line, step.tb_frame.f_globals).strip()
            line_of_student = f"line {line}: {text}" if text else line_of_student
        step = step.tb_next
    return line_of_student
