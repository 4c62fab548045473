"""The right answers of the checks stand by themselves: no change of the library changes them."""

import dis
import inspect
from functools import partial
from types import CodeType, FunctionType, ModuleType

import pytest

from course_checks.judge.source import unused_arguments
from course_lib.attention import masks
from exercises.sources import EXERCISES


def library_behind(function) -> set[str]:
    """What of course_lib, apart from its checks, a function names, imports late or passes on to.

    The functions and classes of the checks that it uses are followed, the rest is only named.
    """
    library, seen, waiting = set(), set(), [function]
    while waiting:
        part = waiting.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        home = part.__name__ if isinstance(part, ModuleType) else getattr(part, "__module__", None)
        if _is_library(home):
            library.add(home)
        elif isinstance(part, partial):
            waiting += [part.func, *part.args, *part.keywords.values()]
        elif isinstance(part, (list, tuple)):
            waiting += part
        elif isinstance(part, dict):
            waiting += part.values()
        elif isinstance(part, type) and _is_ours(home):
            waiting += [*vars(part).values(), *part.__bases__]
        elif isinstance(part, (staticmethod, classmethod)):
            waiting.append(part.__func__)
        elif isinstance(part, property):
            waiting.append(part.fget)
        elif isinstance(part, FunctionType) and (part is function or _is_ours(home)):
            waiting += [inspect.unwrap(part), *(part.__defaults__ or ())]
            waiting += [*(part.__kwdefaults__ or {}).values()]
            waiting += [cell.cell_contents for cell in part.__closure__ or ()]
            names, attributes, modules = _named_in(part.__code__)
            library |= set(filter(_is_library, modules))
            used = [part.__globals__[name] for name in names & part.__globals__.keys()]
            waiting += used
            for module in (each for each in used if isinstance(each, ModuleType)):
                if _is_ours(module.__name__):
                    waiting += [vars(module)[name] for name in attributes & vars(module).keys()]
    return library


def _named_in(code: CodeType) -> tuple[set[str], set[str], set[str]]:
    """Global names, attributes, and the modules that are imported or spelt out as text."""
    names, attributes, modules = set(), set(code.co_names), set()
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            names.add(step.argval)
        elif step.opname == "IMPORT_NAME":
            modules.add(step.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            inner = _named_in(constant)
            names, attributes, modules = names | inner[0], attributes | inner[1], modules | inner[2]
        elif isinstance(constant, str) and constant.startswith("course_lib."):
            modules.add(constant)
    return names, attributes, modules


def _is_ours(module: str | None) -> bool:
    return f"{module}.".startswith("course_checks.")


def _is_library(module: str | None) -> bool:
    return f"{module}.".startswith("course_lib.") and not _is_ours(module)


@pytest.mark.parametrize("name", EXERCISES)
def test_a_reference_uses_nothing_of_the_library_but_the_checks(name):
    assert library_behind(EXERCISES[name].reference) == set()


@pytest.mark.parametrize("name", EXERCISES)
def test_an_argument_that_the_reference_does_not_read_is_optional(name):
    exercise = EXERCISES[name]
    assert unused_arguments(exercise.reference, exercise.optional) == []


def late(x):
    from course_lib.attention.masks import masked_softmax

    return masked_softmax(x)


def late_by_name(x):
    return __import__("importlib").import_module("course_lib.attention.masks").masked_softmax(x)


def in_a_loop(x):
    return [masks.masked_softmax(row) for row in x]


# A function of the checks, such as a helper in a topic's folder, that calls the library.
of_checks = FunctionType(in_a_loop.__code__, {"masks": masks, "__name__": "course_checks.own"})


def through_a_helper(x):
    return of_checks(x)


def by_default(x, softmax=masks.masked_softmax):
    return softmax(x)


USES = [late, late_by_name, in_a_loop, through_a_helper, by_default, partial(of_checks)]
USES += [masks.masked_softmax, lambda x: masks.masked_softmax(x)]


@pytest.mark.parametrize("function", USES)
def test_a_use_of_the_library_is_found_wherever_it_stands(function):
    assert library_behind(function) & {"course_lib.attention.masks", "course_lib.attention"}
