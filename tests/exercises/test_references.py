"""The right answers of the checks stand by themselves: no change of the library changes them."""

import dis
from types import CodeType, FunctionType

import pytest

from course_checks.judge.source import unused_arguments
from course_lib import causal_mask
from exercises.sources import EXERCISES


def used_of_the_library(function):
    """What of course_lib a function or class names, and what it calls in the exercises' modules."""
    used, things = set(), [function]
    for thing in things:  # which grows
        of_class = [*vars(thing).values(), *thing.__mro__[1:]] if isinstance(thing, type) else []
        values = [part for part in (thing, *of_class) if isinstance(part, FunctionType | type)]
        codes = [(f.__code__, f.__globals__) for f in values if isinstance(f, FunctionType)]
        for code, names in codes:  # which grows, too
            codes += [(part, names) for part in code.co_consts if isinstance(part, CodeType)]
            used |= {name for name in code.co_names if name.startswith("course_lib")}
            read = {i.argval for i in dis.get_instructions(code) if i.opname == "LOAD_GLOBAL"}
            values += [names[name] for name in read & names.keys()]
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
