"""The border between a judge and the process of the function that it judges: the judge's side.

Inwards goes code, by cloudpickle: the functions and modules that an exercise gives to an answer,
and what is measured inside. No reference, no mistake and no case with its right answer goes that
way. Outwards comes plain data.
"""

import io
import socket
import sys
from collections.abc import Callable
from inspect import unwrap
from types import CodeType, FunctionType
from typing import Any

import cloudpickle

import course_checks
import course_checks.exercises
from course_checks.exercise import Case, Exercise, Mistake
from course_checks.judge.border import receive, send, the_function, the_watchdog
from course_checks.judge.calling import FROM_THE_JUDGE, Elsewhere
from course_checks.judge.engine import Judge
from course_checks.judge.plain_data import from_bytes
from course_checks.judge.watchdog import Watchdog

REFERENCES = {check.exercise.reference for check in course_checks.ALL.values()}
# What the other process cannot import is sent as it is.
cloudpickle.register_pickle_by_value(course_checks.exercises)
for _reference in REFERENCES:
    cloudpickle.register_pickle_by_value(sys.modules[_reference.__module__])


class Student(Elsewhere):
    """A function at the other end of a connection."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection

    def run(self, work: Callable, *args) -> Any:
        """What ``work(*args)`` returns there, as data; what it raises there is raised here.

        Raises:
            OSError: the other process has ended, or does not answer.
            Unreadable: what came is no data.
        """
        self.tell(False, (work, args))
        value = from_bytes(receive(self.connection))
        if isinstance(value, BaseException):
            raise value
        return value

    def tell(self, is_last: bool, message: Any) -> None:
        file = io.BytesIO()
        _Inwards(file).dump((is_last, message))
        send(self.connection, file.getvalue())


class _Inwards(cloudpickle.Pickler):
    """Pickles a message; TypeError where it holds an answer."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, Exercise):
            return _itself, (value.question,)
        if isinstance(value, Elsewhere):
            return the_function, ()
        if isinstance(value, Watchdog):
            return the_watchdog, ()
        if isinstance(value, (Case, Mistake, Judge)):
            raise TypeError(f"an answer may not leave the judge: {value!r}")
        if isinstance(value, CodeType):  # tracebacks pass it over, and name no file of ours
            return self.dispatch_table[CodeType](value.replace(co_filename=FROM_THE_JUDGE))
        if isinstance(value, (FunctionType, type)):
            if value in REFERENCES:
                raise TypeError(f"an answer may not leave the judge: {value!r}")
            outer = getattr(sys.modules.get(value.__module__), value.__name__, value)
            if outer is not value and unwrap(outer) is value:
                return unwrap, (outer,)
        return super().reducer_override(value)


def _itself(value: Any) -> Any:
    return value
