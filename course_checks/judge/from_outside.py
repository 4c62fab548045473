"""The border between a judge and the process of the function that it judges: the judge's side.

Inwards goes code, by cloudpickle: the functions and modules that an exercise gives to an answer,
and what is measured inside. No reference, no mistake and no case with its right answer goes that
way. Outwards comes plain data.
"""

import io
import socket
import sys
from collections.abc import Callable
from functools import cache
from inspect import unwrap
from types import CodeType, FunctionType
from typing import Any

import cloudpickle
from torch import Tensor

import course_checks
import course_checks.exercises
from course_checks.exercise import Case, Exercise, Mistake
from course_checks.judge.border import itself, receive, send, the_function, the_watchdog
from course_checks.judge.calling import FROM_THE_JUDGE, Elsewhere
from course_checks.judge.engine import Judge
from course_checks.judge.lent import Lender
from course_checks.judge.plain_data import Unreadable, as_bytes, from_bytes
from course_checks.judge.watchdog import Watchdog

REFERENCES = {check.exercise.reference for check in course_checks.ALL.values()}
# What the other process cannot import is sent as it is.
cloudpickle.register_pickle_by_value(course_checks.exercises)
for _reference in REFERENCES:
    cloudpickle.register_pickle_by_value(sys.modules[_reference.__module__])
# For each function it would look through all modules for those of which a part is named there, so
# that they are imported. The other process has imported torch, and took two thirds of the time.
cloudpickle.cloudpickle._find_imported_submodules = lambda code, values: []


CACHED = type(cache(len))


class Student(Elsewhere):
    """A function at the other end of a connection, which may ask the ``lender``."""

    def __init__(self, connection: socket.socket, lender: Lender | None = None) -> None:
        self.connection, self.lender = connection, lender or Lender({})

    def run(self, work: Callable, *args) -> Any:
        """What ``work(*args)`` returns there, as data; what it raises there is raised here.

        Raises:
            OSError: the other process has ended, or does not answer.
            Unreadable: what came is no data.
        """
        self._send((False, (work, args)))
        while True:
            match from_bytes(receive(self.connection)):
                case ("done", BaseException() as problem):
                    raise problem
                case ("done", value):
                    return value
                case ("asks", tuple(question)):
                    self._send(self._answer(question))
                case _:
                    raise Unreadable("neither an answer nor a question")

    def _answer(self, question: tuple) -> Any:
        try:
            return self.lender.answer(*question)
        except Exception as problem:  # which is raised there
            return problem

    def tell(self, message: Any) -> None:
        """Say the last word."""
        self._send((True, message))

    def _send(self, message: Any) -> None:
        file = io.BytesIO()
        _Inwards(file).dump(message)
        send(self.connection, file.getvalue())


class _Inwards(cloudpickle.Pickler):
    """Pickles a message; TypeError where it holds an answer."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, Exercise):
            return itself, (value.question,)
        if isinstance(value, Elsewhere):
            return the_function, ()
        if isinstance(value, Watchdog):
            return the_watchdog, ()
        if isinstance(value, (Case, Mistake, Judge)):
            raise TypeError(f"an answer may not leave the judge: {value!r}")
        if type(value) is Tensor and value.is_contiguous() and not value.requires_grad:
            return from_bytes, (as_bytes(value),)  # by far quicker than torch's own way
        if isinstance(value, CodeType):  # tracebacks pass it over, and name no file of ours
            return self.dispatch_table[CodeType](value.replace(co_filename=FROM_THE_JUDGE))
        if isinstance(value, (FunctionType, type)):
            if value in REFERENCES:
                raise TypeError(f"an answer may not leave the judge: {value!r}")
            outer = getattr(sys.modules.get(value.__module__), value.__name__, value)
            if outer is not value and unwrap(outer) is value and not _is_sent(value):
                return unwrap, (outer,)
        if isinstance(value, CACHED) and _is_sent(value):
            return cache, (value.__wrapped__,)
        return super().reducer_override(value)


def _is_sent(value: Any) -> bool:
    """Whether the other process cannot import it."""
    modules = cloudpickle.list_registry_pickle_by_value()
    return any(f"{value.__module__}.".startswith(f"{module}.") for module in modules)
