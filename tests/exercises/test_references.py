"""The right answers of the checks stand by themselves: no change of the library changes them."""

from types import FunctionType

import pytest

from course_checks.judge.source import unused_arguments
from course_lib import causal_mask
from tools.checks.exercise_sources import EXERCISES, codes_in, globals_read


def used_of_the_library(function):
    """What of course_lib a function or class names, and what it calls in the exercises' modules."""
    used, things = set(), [function]
    for thing in things:  # which grows
        of_class = [*vars(thing).values(), *thing.__mro__[1:]] if isinstance(thing, type) else []
        values = [part for part in (thing, *of_class) if isinstance(part, FunctionType | type)]
        for function in [f for f in values if isinstance(f, FunctionType)]:
            names = {name for code in codes_in(function) for name in code.co_names}
            used |= {name for name in names if name.startswith("course_lib")}
            space = function.__globals__
            values += [space[name] for name in globals_read(function) & space.keys()]
        for value in values:
            home = getattr(value, "__module__", None) or getattr(value, "__name__", "")
            if home.startswith("course_lib"):
                used.add(value.__name__)
            is_ours = home.startswith(("course_checks", __name__))
            if is_ours and isinstance(value, FunctionType | type) and value not in things:
                things.append(value)
    return used


@pytest.mark.parametrize("name", EXERCISES)
def test_a_reference_runs_nothing_of_the_library(name):
    assert used_of_the_library(EXERCISES[name].reference) == set()


def late(x):
    from course_lib.attention.masks import masked_softmax

    return masked_softmax(x, None)


class Deep:
    def forward(self, x):
        return [late(row) for row in x]


@pytest.mark.parametrize("function", [late, lambda x: [causal_mask(len(row)) for row in x], Deep])
def test_a_use_of_the_library_is_found_wherever_it_stands(function):
    assert used_of_the_library(function) & {"course_lib.attention.masks", "causal_mask"}


@pytest.mark.parametrize("name", EXERCISES)
def test_an_argument_that_the_reference_does_not_read_is_optional(name):
    exercise = EXERCISES[name]
    assert unused_arguments(exercise.reference, exercise.optional) == []
