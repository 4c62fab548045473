"""The trials that judge an answer, stretched and in float64 too, and what is right in them."""

from dataclasses import replace
from typing import Any

import torch

from course_checks.exercise import Case, Exercise
from course_checks.judge.answers import integer_entries, read_answer
from course_checks.judge.calling import copy_of, in_float64
from course_checks.judge.explain import describe_form
from course_checks.judge.verdict import BadForm, Trial


def draw_trials(exercise: Exercise, seed: int) -> list[list[Trial]]:
    """The cases of each property, and the last of all stretched and in float64, where that may be.

    The right answer to a stretched case is the reference's.
    """
    generator = torch.Generator(device="cpu").manual_seed(seed)

    def trial(case: Case) -> Trial:
        return Trial(case, int(torch.randint(2**31, (), generator=generator, device="cpu")))

    groups = [list(map(trial, [*item.cases(generator)])) for item in exercise.properties]
    last = next(filter(None, reversed(groups)), [])
    case = last[-1].case if last else None
    if case and exercise.stretched:
        large = (30 if name == exercise.stretched else 1 for name in exercise.arguments)
        args = tuple(v * n if n != 1 else v for v, n in zip(case.args, large, strict=True))
        note = f", with a {exercise.stretched} 30 times as large"
        last.append(trial(replace(case, args=args, expected=None, note=note)))
    if case and exercise.kind == "tensor" and not exercise.dtype:
        args, expected = in_float64(case.args), in_float64(case.expected)
        double = Case(args, expected, case.label, case.label and ", in float64")
        last.append(replace(trial(double), is_double=True))
    return groups


def right_answer(
    exercise: Exercise, case: Case
) -> tuple[dict[str, Any], dict[str, frozenset[int]]]:
    """The right answer by part, and which of its numbers are indices or counts."""
    expected = case.expected
    if expected is None:
        expected = exercise.answer(exercise.reference, copy_of(case.args))
    answer = read_answer(exercise, expected)
    if isinstance(answer, BadForm):
        text = describe_form(exercise, answer)
        raise TypeError(f"{exercise.name}: this is said of the right answer: {text}")
    if exercise.conclude:
        concluded = exercise.conclude(answer, *case.args)
        assert isinstance(concluded, dict), concluded
        answer = concluded
    return answer, integer_entries(exercise, expected)
