"""Whether what a check was given is a function that takes the exercise's arguments."""

import inspect
from typing import Any

from course_lib.checks.exercise import Exercise
from course_lib.checks.judge.answers import count_of, kind_of

NOTHING = object()  # what a check was given that was called without a function


def no_function(check: str, name: str, given: Any) -> str:
    """Say what ``checks.<check>`` takes, where it was ``given`` something else or NOTHING."""
    got = "nothing" if given is NOTHING else kind_of(given)
    return (
        f"This check takes the function itself, as in checks.{check}({name}), and calls it with "
        f"its own inputs. It was given {got}."
    )


def cannot_be_called(exercise: Exercise, function: Any) -> str | None:
    """Say why a check cannot call ``function`` with its arguments; None where it can."""
    name, wanted = exercise.name, exercise.parameters
    if not callable(function):
        return no_function(name, name, function)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    names = list(signature.parameters)
    is_swapped = sorted(names) == sorted(wanted) and names != wanted
    try:
        signature.bind(*wanted)
    except TypeError:
        is_swapped = True
    if is_swapped:
        return (
            f"{name} is called with {count_of(len(wanted), 'argument')}: {', '.join(wanted)}. "
            f"Yours is defined with {signature}."
        )
    return None
