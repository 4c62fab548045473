"""The truth of an exercise does not come from the library, whose change would then change it."""

import dis
import types

import pytest

from course_lib import checks, masks
from course_lib.masks import causal_mask
from exercises.sources import EXERCISES

# The answer to make_heads is a list of the course's own heads.
FROM_LIBRARY = {"make_heads": {"course_lib.single_head.SingleHead"}}


def library_behind(function, seen=()):
    """What of course_lib, outside the checks, a function and the functions that it calls name."""
    found, seen = set(), {*seen, function}
    codes = [function.__code__]
    for code in codes:
        codes += [const for const in code.co_consts if isinstance(const, types.CodeType)]
        for step in dis.get_instructions(code):
            if step.opname == "IMPORT_NAME" and _is_library(step.argval):
                found.add(step.argval)
            elif step.opname == "LOAD_GLOBAL":
                found |= _behind(function.__globals__.get(step.argval), seen)
    for cell in function.__closure__ or ():
        found |= _behind(cell.cell_contents, seen)
    return found


def _behind(thing, seen):
    if isinstance(thing, types.ModuleType):
        return {thing.__name__} if _is_library(thing.__name__) else set()
    module = getattr(thing, "__module__", None) or ""
    if _is_library(module):
        return {f"{module}.{thing.__qualname__}"}
    if isinstance(thing, types.FunctionType) and thing not in seen:
        return library_behind(thing, seen)
    return set()


def _is_library(module):
    return f"{module}.".startswith("course_lib.") and not module.startswith(checks.__name__)


@pytest.mark.parametrize("name", EXERCISES)
def test_a_reference_is_made_of_the_checks_own_code(name):
    assert library_behind(EXERCISES[name].reference) == FROM_LIBRARY.get(name, set())


def test_what_comes_from_the_library_is_found():
    def late(query_len):
        from course_lib.masks import causal_mask

        return causal_mask(query_len)

    def by_module(query_len):
        return [masks.causal_mask(n) for n in range(query_len)]

    def enclosing(mask_of=causal_mask):
        return lambda query_len: mask_of(query_len)

    direct = {"course_lib.masks.causal_mask"}
    for function, found in (
        (late, {"course_lib.masks"}),
        (by_module, {"course_lib.masks"}),
        (lambda n: causal_mask(n), direct),
        (lambda n: helper(n), direct),
        (enclosing(), direct),
    ):
        assert library_behind(function) == found


def helper(query_len):
    return causal_mask(query_len)
