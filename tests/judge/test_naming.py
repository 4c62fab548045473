"""A mistake is named only when it is in the function: on every input, and on further ones."""

from dataclasses import replace
from types import SimpleNamespace

import nbformat
import pytest
import torch

import course_checks as checks
from course_checks.exercise import Case, Exercise, Mistake, Property, randn
from course_checks.judge import engine
from course_checks.judge.engine import Judge, judge
from tools.checks.exercise_sources import define
from tools.notebooks.notebook_files import ROOT


def demonstration():
    """The function that lesson 00 hands to a check."""
    cells = nbformat.read(ROOT / "notebooks" / "00_start_here.ipynb", as_version=4).cells
    (source,) = (cell.source for cell in cells if "def stable_softmax" in cell.source)
    return define(source.split("\n\n\nchecks.")[0], "stable_softmax")


def positive_part(scores):
    return scores.clamp(min=0) / scores.clamp(min=0).sum(dim=-1, keepdim=True)


def sizes(scores):
    return scores.abs() / scores.abs().sum(dim=-1, keepdim=True)


def test_shares_of_the_scores_are_called_what_they_are():
    """They agree with another mistake, dividing by the largest score, where numbers are coarse."""
    functions = (demonstration(), positive_part, sizes)
    for seed in range(10):
        judge_all = Judge(checks.stable_softmax.exercise, seed)
        for function in functions:
            result = judge_all(function)
            assert result.diagnosis == "shares_of_scores", f"{function.__name__}: {result}"


def doubled(x):
    return 2 * x


def _cases(generator):
    return [Case((randn(generator, 3),)), Case((randn(generator, 2, 2),))]


def exercise_with(*mistakes):
    """Write ``doubled``; the mistakes are pairs of a name and a function."""
    return Exercise(
        lesson="02",
        number=1,
        reference=doubled,
        returns={"result": "the shape of x"},
        properties=(Property("each number is doubled", 1, _cases),),
        mistakes=tuple(Mistake(name, f"You wrote {name}.", code) for name, code in mistakes),
    )


TRIPLED = ("tripled", lambda x: 3 * x)
SUMMED = ("summed", lambda x: x + x + x)
ADDED = ("added", lambda x: x * 4 - x)


def test_of_two_that_no_input_tells_apart_both_are_named():
    result = judge(exercise_with(TRIPLED, SUMMED), lambda x: 3 * x, 0)
    assert result.diagnosis == "tripled | summed"
    assert result.message[:3] == (
        "Two mistakes look like this.",
        "Either: You wrote tripled.",
        "Or: You wrote summed.",
    )


def test_of_three_none_is_named():
    result = judge(exercise_with(TRIPLED, SUMMED, ADDED), lambda x: 3 * x, 0)
    assert result.diagnosis is None
    assert result.message[0] == "This is not right yet: each number is doubled."


def test_the_same_mistake_in_other_code_has_one_name():
    exercise = exercise_with(TRIPLED)
    mistake = replace(exercise.mistakes[0], also=(lambda x: 5 * x, SUMMED[1]))
    exercise = replace(exercise, mistakes=(mistake,))
    for factor in (3, 5):
        assert judge(exercise, lambda x, f=factor: f * x, 0).diagnosis == "tripled"
    assert judge(exercise, lambda x: 4 * x, 0).diagnosis is None


def test_a_name_is_confirmed_on_further_inputs():
    """What is like a known mistake by the luck of one draw is not called so."""
    exercise = exercise_with(TRIPLED)
    seen = [float(case.args[0].sum()) for case in _cases(torch.Generator().manual_seed(0))]

    def tripled_here(x):
        is_known = any(abs(float(x.sum()) - known) < 1e-5 for known in seen)
        return 3 * x if is_known else 7 * x

    assert judge(exercise, lambda x: 3 * x, 0).diagnosis == "tripled"
    assert judge(exercise, tripled_here, 0).diagnosis is None


@pytest.mark.parametrize(
    ("dtype", "step", "factor"), [(torch.float32, 5e-5, 1.3), (torch.float16, 0.01, 3.0)]
)
def test_two_mistakes_of_one_size_are_told_apart(dtype, step, factor):
    """The tolerance for right answers is wider than what lies between them."""

    def small(generator):
        return [Case((randn(generator, 4).to(dtype),))]

    def shifted(by):
        return lambda x: (2 * x.double() + by).to(x.dtype)

    exercise = exercise_with(("shifted", shifted(step)))
    exercise = replace(exercise, properties=(Property("each is doubled", 1, small),))
    for seed in range(8):
        if judge(exercise, shifted(step), seed).status != "pass":
            assert judge(exercise, shifted(step), seed).diagnosis == "shifted"
            assert judge(exercise, shifted(factor * step), seed).diagnosis is None


def test_a_slow_answer_is_not_asked_again_and_again(monkeypatch):
    clock = iter(range(0, 10**6, 3))
    calls = []
    later = SimpleNamespace(monotonic=lambda: next(clock), process_time=lambda: next(clock))
    monkeypatch.setattr(engine, "time", later)
    result = judge(exercise_with(TRIPLED), lambda x: calls.append(1) or 3 * x, 0)
    assert result.diagnosis == "tripled" and len(calls) < 8
