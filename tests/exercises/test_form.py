"""Every exercise: its parts are there and in order, and what its results show is in order too."""

import ast
import builtins
import random
import re
from types import FunctionType

import numpy as np
import pytest
import torch

import course_checks as checks
from course_checks.judge.engine import Judge
from tools.checks.exercise_sources import (
    EXERCISES,
    answers_of,
    define,
    globals_read,
    judge_of,
    missing,
    program_of,
    solution_sources,
    source_of,
)


@pytest.mark.parametrize("name", checks.ALL)
def test_exercise_has_all_its_parts(name):
    """While it has not, no other test of it is run."""
    lacking = missing(name)
    assert not lacking, f"What {name} still needs:\n- " + "\n- ".join(lacking)


@pytest.mark.parametrize("name", EXERCISES)
def test_parts_of_an_exercise_fit_together(name):
    exercise = EXERCISES[name]
    names = [mistake.name for mistake in exercise.mistakes]
    assert len(names) == len(set(names))
    assert len({mistake.sentence for mistake in exercise.mistakes}) == len(names)
    assert exercise.max_points == sum(item.points for item in exercise.properties) + 1
    assert all(isinstance(item.points, int) and item.points > 0 for item in exercise.properties)


@pytest.mark.parametrize("name", checks.ALL)
def test_every_mistake_can_be_made(name):
    """An edit that does not fit the reference any more says so, and so does a name without import:
    linters do not see into the texts."""
    for mistake in checks.ALL[name].exercise.mistakes:
        assert all(map(callable, mistake.functions)), mistake.name
        assert not set().union(*map(unknown_names, mistake.functions)), mistake.name
        assert mistake.evidence is None or callable(mistake.made(mistake.evidence)), mistake.name


def unknown_names(function):
    """The global names that a function reads, or what a class holds, and that are not there."""
    functions = [f for f in (function, *vars(function).values()) if isinstance(f, FunctionType)]
    return {name for f in functions for name in globals_read(f) - {*f.__globals__, *dir(builtins)}}


def test_a_name_without_import_is_found_inside_a_lambda_too():
    assert unknown_names(eval("lambda: [missing(len(x)) for x in ()]", {})) == {"missing"}


def test_numbers_and_lessons_are_in_order():
    order = [(exercise.lesson, exercise.number) for exercise in EXERCISES.values()]
    assert order == sorted(set(order))
    for lesson in {lesson for lesson, _ in order}:
        numbers = [number for other, number in order if other == lesson]
        assert numbers == list(range(1, len(numbers) + 1)), lesson


@pytest.mark.parametrize("name", EXERCISES)
def test_a_right_answer_is_another_program_than_the_reference(name):
    """A solution often is the reference: only another program shows that the check is right."""
    own = program_of(source_of(EXERCISES[name].reference))
    right = [answer for answer in answers_of(name).values() if answer.is_right]
    definitions = [ast.unparse(ast.parse(answer.source).body[-1]) for answer in right]
    assert all(program_of(definition) != own for definition in definitions)


def test_a_program_is_the_same_whatever_its_name_and_layout_are():
    twice = 'def f(x):\n    """Twice x."""\n    return (2 * x)  # twice'
    assert program_of(twice) == program_of("def g(x):\n\n    return 2 * x")
    assert program_of(twice) != program_of("def f(x):\n    return x * 2")


@pytest.mark.parametrize("name", EXERCISES)
def test_feedback_of_a_pass_is_the_same_every_time(name):
    exercise = EXERCISES[name]
    solution = define(solution_sources()[name][0], name)
    results = [judge_of(name, 0)(exercise.reference), judge_of(name, 1)(solution)]
    assert len({result._repr_html_() for result in results}) == 1
    assert len({repr(result) for result in results}) == 1
    assert not re.search(r"seed=|0x", results[0]._repr_html_())


@pytest.mark.parametrize("name", EXERCISES)
def test_the_seed_alone_decides_the_inputs(name):
    """And not what torch, NumPy or Python would draw next; where shapes are asked, the shapes."""
    drawn = []
    for other in range(2):
        torch.manual_seed(other), np.random.seed(other), random.seed(other)
        groups = Judge(EXERCISES[name], 5).unanswered_trials(5)
        drawn.append([(trial.case, trial.call_seed) for group in groups for trial in group])
    for (first, seed), (again, same_seed) in zip(*drawn, strict=True):
        assert seed == same_seed and first.label == again.label
        pairs = zip(numbers_in(first.args), numbers_in(again.args), strict=True)
        asks_for_shapes = EXERCISES[name].kind == "shapes"
        assert all(a.shape == b.shape and (asks_for_shapes or torch.equal(a, b)) for a, b in pairs)


def numbers_in(value):
    """The tensors of an argument, in order: of a list, of a module."""
    if isinstance(value, torch.nn.Module):
        value = list(value.state_dict().values())
    if isinstance(value, (tuple, list)):
        return [tensor for item in value for tensor in numbers_in(item)]
    return [value] if isinstance(value, torch.Tensor) else []


@pytest.mark.parametrize("name", ["stable_softmax", "trace_shapes", "attend_by_hand"])
def test_seed_repeats_the_run(name):
    check, wrong = checks.ALL[name], EXERCISES[name].mistakes[0].function
    first = check(wrong)
    assert str(check(wrong, seed=first.seed)) == str(first)
    if first.tables:
        assert str(check(wrong)) != str(first)
