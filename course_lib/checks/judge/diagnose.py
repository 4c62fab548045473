"""Find the mistake: compare with the mutants, watch for changed inputs and varying answers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch

from course_lib.checks.exercise import Case, Exercise, Mutant
from course_lib.checks.judge.answers import same, verb
from course_lib.checks.judge.calling import Outcome, call
from course_lib.checks.judge.watchdog import Watchdog


@dataclass(eq=False)
class Trial:
    """One case with what was expected and what came."""

    case: Case
    call_seed: int
    expected: dict[str, Any]
    outcome: Outcome = field(default_factory=Outcome)


def is_right(trial: Trial, only: str | None = None) -> bool:
    answer = trial.outcome.answer
    if answer is None:
        return False
    parts = [only] if only else list(trial.expected)
    return all(same(trial.expected[part], answer[part]) for part in parts)


def recognise(
    exercise: Exercise, groups: list[list[Trial]], broken: list[int]
) -> tuple[Mutant, list[Trial]] | None:
    """(the mutant that the function is like, the trials in which it is).

    That is the one mutant that does the same in every trial. A function with two mistakes is like
    no mutant everywhere, but it may be in one of the ``broken`` groups. Then the mutant must not
    be wrong where the function is right, or it is another mistake that looks alike there.
    """
    everything = [trial for group in groups for trial in group]
    right = [trial for trial in everything if is_right(trial)]
    for trials in [everything, *(groups[index] for index in broken)]:
        # The wrong answers tell mutants apart: they come first.
        trials = sorted(trials, key=is_right)
        found = [
            mutant
            for mutant in exercise.mutants
            if _does_the_same(exercise, mutant, trials)
            and (len(trials) == len(everything) or _does_the_same(exercise, mutant, right, False))
        ]
        if len(found) == 1:
            return found[0], trials
    return None


def _does_the_same(
    exercise: Exercise, mutant: Mutant, trials: list[Trial], telling: bool = True
) -> bool:
    """Whether the mutant answers like the function; ``telling``: and is wrong at least once."""
    told = not telling
    for trial in trials:
        theirs = trial.outcome
        ours = call(exercise, mutant.function, trial.case.args, trial.call_seed)
        if type(ours.error) is not type(theirs.error):
            return False
        if (ours.answer is None) != (theirs.answer is None) or ours.bad_form != theirs.bad_form:
            return False
        if ours.answer and theirs.answer:
            parts = exercise.returns
            if not all(same(ours.answer[part], theirs.answer[part]) for part in parts):
                return False
        told = told or bool(ours.bad_form) or (bool(ours.answer) and not is_right(trial))
    return told


def misbehaviour_of(
    exercise: Exercise, function: Callable, groups: list[list[Trial]], watchdog: Watchdog
) -> tuple[str, str] | None:
    """(code, sentence) for a changed input, a wrong dtype or device, an answer that varies."""
    trials = [trial for group in groups for trial in group]
    for trial in trials:
        if trial.outcome.changed:
            how = "x = sorted(x) does, x.sort() and x[0] = 1 do not"
            if exercise.kind == "tensor":
                how = "x = x - 1 does, x -= 1 does not"
            return "changes_input", (
                f"Your function changes its input {trial.outcome.changed} in place. The caller "
                f"still needs it: make a new value instead ({how})."
            )
    for trial in trials:
        for part, want in trial.expected.items():
            got = (trial.outcome.answer or {}).get(part)
            if exercise.kind == "tensor" and got is not None and got.dtype != want.dtype:
                should = f"the input's is {want.dtype}, and the answer should keep it"
                if exercise.dtype:
                    should = f"it should be {want.dtype}"
                if exercise.dtype == torch.bool:
                    should += ": torch adds a mask of numbers to the scores, and 0 blocks nothing"
                text = f"Your {part} {verb(part, 'has')} dtype {got.dtype}; {should}."
                return "dtype", text
            if exercise.kind == "tensor" and got is not None and got.device != want.device:
                return "device", (
                    f"Your {part} {verb(part, 'is')} on the device {got.device}; the input is on "
                    f"{want.device}, and the answer should stay there."
                )
    for trial in (group[0] for group in groups if group):
        again = call(exercise, function, trial.case.args, trial.call_seed + 1, watchdog)
        first = trial.outcome
        is_same = type(again.error) is type(first.error)
        if first.answer and again.answer:
            pairs = ((want, again.answer[part]) for part, want in first.answer.items())
            is_same = is_same and all(same(want, got) for want, got in pairs)
        if not is_same:
            return "varies", exercise.varies
    return None
