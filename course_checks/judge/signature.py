"""Whether what a check was given is a function that takes the exercise's arguments."""

import inspect
from collections.abc import Callable
from typing import Any

from torch.nn import Module

from course_checks.exercise import Exercise, Question
from course_checks.judge.answers import kind_of
from course_checks.judge.verdict import Fault

NOTHING = object()  # what a check was given that was called without a function


def no_function(exercise: Exercise | Question, given: Any) -> Fault | None:
    """What a check was ``given`` where it is no function; NOTHING where nothing was.

    Where a class is asked for, a module that it has made is none.
    """
    is_made = exercise.noun == "class" and isinstance(given, Module)
    if callable(given) and not is_made:
        return None
    return Fault("no_function", got="nothing" if given is NOTHING else kind_of(given))


def other_arguments(exercise: Exercise | Question, function: Callable) -> Fault | None:
    """The function's signature where it cannot be called with the exercise's arguments."""
    wanted = exercise.parameters
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
    return Fault("other_arguments", got=str(signature)) if is_swapped else None
