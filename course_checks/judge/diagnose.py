"""Find the mistake: compare with the known ones, watch for changed inputs and varying answers."""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

import torch
from torch import finfo, float16, float32, float64, isfinite

from course_checks.exercise import Exercise, Mistake
from course_checks.judge.answers import same, words_of
from course_checks.judge.calling import call
from course_checks.judge.verdict import Fault, Outcome, Trial
from course_checks.judge.watchdog import Watchdog


def is_right(trial: Trial, only: str | None = None) -> bool:
    if trial.outcome.answer is None:
        return False
    parts = [only] if only else list(trial.expected)
    return all(_is_part_right(trial.expected, trial.outcome, part) for part in parts)


def _is_part_right(expected: dict[str, Any], outcome: Outcome, part: str) -> bool:
    """Whether one part of an answer is right: compared once, since it is asked for each mistake."""
    if part not in outcome.right:
        outcome.right[part] = same(expected[part], outcome.answer[part])  # type: ignore[index]
    return outcome.right[part]


OutcomeOf = Callable[[Callable, Trial], Outcome]  # what a mistake's code does in a trial


def recognise(
    exercise: Exercise,
    groups: list[list[Trial]],
    further: Iterable[list[Trial]],
    outcome_of: OutcomeOf,
) -> list[Mistake]:
    """The known mistakes that the function may have: one, or two that look alike, or none.

    A mistake is named only when its code does what the function does in every trial, where the
    function is right as where it is wrong, and again in the trials of ``further``. A function that
    has another one besides is like none of them, unless that one stops it in float64 alone. Errors
    alone name nothing: many mistakes end in the same one.
    """
    drawn = [trial for group in groups for trial in group]
    if not any(trial.outcome.bad_form or is_answered_wrongly(trial) for trial in drawn):
        return []
    fitting = [(mistake, version) for mistake in exercise.mistakes for version in mistake.functions]
    for trials in chain([drawn], further):
        # Whoever makes a float32 tensor may have one of the mistakes besides.
        compared = [trial for trial in trials if not (trial.is_double and trial.outcome.error)]
        # A wrong number tells most mistakes apart, and the rest need not be computed.
        compared.sort(key=is_answered_wrongly, reverse=True)
        fitting = [
            (mistake, version)
            for mistake, version in fitting
            if all(agree(t.expected, outcome_of(version, t), t.outcome) for t in compared)
        ]
        if not fitting:
            return []
    mistakes = list(dict.fromkeys(mistake for mistake, _ in fitting))
    return mistakes if len(mistakes) <= 2 else []


def is_answered_wrongly(trial: Trial) -> bool:
    return trial.outcome.answer is not None and not is_right(trial)


def agree(expected: dict[str, Any], known: Outcome, shown: Outcome) -> bool:
    """Whether two outcomes, of a known mistake and of an answer, show the same mistake, or none.

    ``expected`` is the right answer, by part. Beside answers in numbers it is enough that errors
    have the same type. Beside True and False, which many functions say, they must have the same
    words.
    """
    has_numbers = any(isinstance(right, torch.Tensor) for right in expected.values())
    if type(known.error) is not type(shown.error) or known.bad_form != shown.bad_form:
        return False
    if not has_numbers and words_of(known.error) != words_of(shown.error):
        return False
    if known.changed != shown.changed:  # what is changed in place may be the whole mistake
        return False
    if known.answer is None or shown.answer is None:
        return known.answer is shown.answer
    for part, right in expected.items():
        is_right = _is_part_right(expected, known, part)
        if is_right != _is_part_right(expected, shown, part):
            return False
        if not is_right and not _are_alike(right, known.answer[part], shown.answer[part]):
            return False
    return True


def _are_alike(right: Any, known: Any, shown: Any) -> bool:
    """Two wrong answers: equal up to rounding, and by far nearer to each other than to right."""
    if not same(known, shown):
        return False
    if not isinstance(known, torch.Tensor) or known.shape != right.shape:
        return True
    is_half = float16 in (known.dtype, shown.dtype)
    rounding = 2 * finfo(float16).eps if is_half else 16 * finfo(float32).eps
    right, known, shown = (value.to("cpu", float64) for value in (right, known, shown))
    allowed = max(0.02 * _largest(known - right), rounding * _largest(known))
    return _largest(known - shown) <= allowed


def _largest(value: torch.Tensor) -> float:
    """The largest absolute value, of those that are finite."""
    finite = value[isfinite(value)]
    return float(finite.abs().max()) if finite.numel() else 0.0


def part_to_show(trial: Trial, only: str | None) -> str:
    """A part of the answer that is wrong, ``only`` if it is; "" where there is no answer."""
    if not trial.outcome.answer:
        return ""
    wrong = [part for part in trial.expected if not is_right(trial, part)]
    return only if only and only in wrong else wrong[0]


def right_part_of(exercise: Exercise, groups: list[list[Trial]]) -> str:
    """Where an answer has two parts, the one that alone is right throughout, or ""."""
    if exercise.kind == "observed":  # its parts are ours, and no answer has them
        return ""
    trials = [trial for group in groups for trial in group if trial.outcome.answer]
    right = [
        part
        for part in exercise.returns
        if all(part not in trial.expected or is_right(trial, part) for trial in trials)
    ]
    return right[0] if len(exercise.returns) == 2 and len(right) == 1 else ""


def misbehaviour_of(
    exercise: Exercise, function: Callable, groups: list[list[Trial]], watchdog: Watchdog
) -> Fault | None:
    """A changed input, a wrong dtype or device, or an answer that varies."""
    trials = [trial for group in groups for trial in group]
    for trial in trials:
        if name := trial.outcome.changed:
            given = dict(zip(exercise.arguments, trial.case.args, strict=True))[name]
            return Fault("changes_input", name, given)
    for trial in trials:
        if exercise.kind != "tensor" or trial.outcome.answer is None:
            continue
        for part, want in trial.expected.items():
            got = trial.outcome.answer[part]
            if not isinstance(want, torch.Tensor) or not want.numel():
                continue
            if got.dtype != want.dtype:
                return Fault("dtype", part, got.dtype, want.dtype)
            if got.device != want.device:
                return Fault("device", part, got.device, want.device)
    for trial in (group[0] for group in groups if group):
        again = call(exercise, function, trial.case.args, trial.call_seed + 1, watchdog)
        first = trial.outcome
        is_same = type(again.error) is type(first.error)
        if first.answer and again.answer:
            pairs = ((want, again.answer[part]) for part, want in first.answer.items())
            is_same = is_same and all(same(want, got) for want, got in pairs)
        if not is_same:
            return Fault("answers_vary")
    return None
