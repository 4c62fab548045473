"""Run a student's function on fresh inputs, give points per property, name the mistake.

When a property fails, the student's answers on all inputs are compared with every mutant's: the
mutant that gives the same answers everywhere, and on further inputs too, is the mistake. Where two
do, both are named; where none does, the property that broke is shown on its smallest input.
"""

import os
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch

from course_lib.checks.exercise import Case, Exercise, Forbidden, Mutant
from course_lib.checks.judge.answers import integer_entries, read_answer, verb
from course_lib.checks.judge.calling import Outcome, call, copy_of, untouched_globals
from course_lib.checks.judge.diagnose import (
    Trial,
    is_answered_wrongly,
    is_right,
    misbehaviour_of,
    recognise,
)
from course_lib.checks.judge.explain import (
    describe_difference,
    describe_error,
    describe_input,
    tables_of,
)
from course_lib.checks.judge.feedback import Parts, Result, Table
from course_lib.checks.judge.signature import NOTHING, cannot_be_called, no_function
from course_lib.checks.judge.source import is_stub, unused_arguments
from course_lib.checks.judge.watchdog import TimeLimit, Watchdog

TIME_LIMIT = 5.0  # seconds for one call of the student's function, and 4 times that for all
FURTHER = 4  # times that the cases are drawn again, at most, before a mistake is named
ENOUGH = 30  # trials on which a function did what the mistake does: then no more are drawn


class Check:
    """An exercise that can be called: ``checks.NAME(function)`` returns a Result."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.max_points = exercise.max_points
        self.title = f"Exercise {exercise.number} ({exercise.name})"
        self.__doc__ = f"Check {exercise.name}({', '.join(exercise.parameters)})."

    def __call__(self, function: Any = NOTHING, *, seed: int | None = None) -> Result:
        """Judge ``function``; whatever it raises, this does not.

        Args:
            function: the student's function itself.
            seed: repeats a run; None draws one, unless the environment variable COURSE_SEED is set.

        Raises:
            AssertionError: the environment variable COURSE_EXPECT is "pass" or "todo", and
                the status is another.
        """
        result = judge(self.exercise, function, _choose_seed(seed))
        expected = os.environ.get("COURSE_EXPECT", "")
        if expected in ("pass", "todo") and result.status != expected:
            raise AssertionError(f"expected {expected!r}, got {result.status!r}\n{result}")
        return result

    def ready(self, function: Any = NOTHING) -> bool:
        """Return whether ``function`` has full points; if not, print what is to be done first."""
        if not callable(function):
            print(no_function(f"{self.exercise.name}.ready", self.exercise.name, function))
            return False
        result = judge(self.exercise, function, _choose_seed(None))
        if result.status == "pass":
            return True
        lacks = "comes first: write it"
        if result.status != "todo":
            lacks = (
                f"is not at full points yet ({result.points:g} of {self.max_points}): "
                "see what its check says"
            )
        print(f"{self.title} {lacks}, then run this cell again.")
        return False


def judge(exercise: Exercise, function: Callable, seed: int) -> Result:
    """Run all properties of ``exercise`` on ``function``; ``seed`` decides every input."""
    return Judge(exercise, seed)(function)


class Judge:
    """Judges any number of answers to one exercise, all on the same inputs: those of ``seed``.

    Inputs and right answers are made once, and each known mistake runs once on each of them. That
    saves most of the time where many answers are judged; what is said of an answer does not change.
    """

    def __init__(self, exercise: Exercise, seed: int) -> None:
        self.exercise, self.seed = exercise, seed
        self._drawn: dict[int, list[list[Trial]]] = {}  # by seed
        self._of_mutants: dict[tuple[Callable, Case], Outcome] = {}

    def __call__(self, function: Callable) -> Result:
        problem = cannot_be_called(self.exercise, function)
        if problem:
            return _result(self.exercise, None, "error", [problem])
        with untouched_globals(), Watchdog(TIME_LIMIT) as watchdog:
            run = _Run(self, function, self.trials(self.seed), watchdog)
            return _stopped_early(run) or _award(run)

    def trials(self, seed: int) -> list[list[Trial]]:
        """The cases of each property with the right answers, and room for what an answer does."""
        if seed not in self._drawn:
            self._drawn[seed] = _trials(self.exercise, seed)
        return [[replace(trial) for trial in group] for group in self._drawn[seed]]

    def outcome_of(self, version: Callable, trial: Trial) -> Outcome:
        """What the code of a known mistake does in a trial."""
        key = version, trial.case
        if key not in self._of_mutants:
            args = trial.case.args
            self._of_mutants[key] = call(self.exercise, version, args, trial.call_seed)
        return self._of_mutants[key]


@dataclass(frozen=True)
class _Run:
    """One judgement: who judges what, on which trials by property."""

    judge: Judge
    function: Callable
    groups: list[list[Trial]]
    watchdog: Watchdog

    @property
    def exercise(self) -> Exercise:
        return self.judge.exercise

    def call(self, trial: Trial) -> Outcome:
        return call(self.exercise, self.function, trial.case.args, trial.call_seed, self.watchdog)

    def result(self, status: str, message: list[str], **more) -> Result:
        return _result(self.exercise, self.judge.seed, status, message, **more)


def _trials(exercise: Exercise, seed: int) -> list[list[Trial]]:
    """The cases of each property, with the right answers."""
    generator = torch.Generator(device="cpu").manual_seed(seed)
    return [
        [_trial(exercise, case, generator) for case in item.cases(generator)]
        for item in exercise.properties
    ]


def _trial(exercise: Exercise, case: Case, generator: torch.Generator) -> Trial:
    expected = case.expected
    if expected is None:
        expected = exercise.answer(exercise.reference, copy_of(case.args))
    answer = read_answer(exercise, expected)
    if isinstance(answer, str):
        raise TypeError(f"{exercise.name}: this is said of the right answer: {answer}")
    call_seed = int(torch.randint(2**31, (), generator=generator, device="cpu"))
    return Trial(case, call_seed, answer, integer_entries(exercise, expected))


def _stopped_early(run: _Run) -> Result | None:
    """Call the function in every trial; a Result when it is not written, or cannot count."""
    exercise, started, begun = run.exercise, time.process_time(), time.monotonic()
    for trial in (trial for group in run.groups for trial in group):
        trial.outcome = outcome = run.call(trial)
        if is_stub(run.function, outcome.error):
            signature = f"{exercise.name}({', '.join(exercise.parameters)})"
            text = f"Not done yet: write {signature} in the cell above, then run this cell again."
            return run.result("todo", [text])
        if isinstance(outcome.error, Forbidden):
            text = str(outcome.error)
            return run.result("wrong", [text], code=outcome.code, diagnosis="forbidden")
        asked = describe_input(exercise, trial.case)
        if isinstance(outcome.error, TimeLimit):
            text = (
                f"Your function had not ended after {TIME_LIMIT:g} seconds{asked} and was stopped. "
                "Is there a loop whose condition never becomes false, or one with far too many "
                "rounds?"
            )
            return run.result("error", [text], code=outcome.code)
        # The clock of the processor is slow to ask, and not ahead of the wall's for long.
        is_late = time.monotonic() - begun > TIME_LIMIT
        if is_late and time.process_time() - started > 4 * TIME_LIMIT:
            text = (
                f"Your function is too slow: the calls up to the one{asked} took more than "
                f"{4 * TIME_LIMIT:g} seconds in all. These inputs are small."
            )
            return run.result("error", [text])
    return None


def _award(run: _Run) -> Result:
    """Points per property, and the first one that broke explained."""
    exercise, groups = run.exercise, run.groups
    holds = [
        all(is_right(trial, item.only) for trial in group)
        for item, group in zip(exercise.properties, groups, strict=True)
    ]
    broken = [index for index, held in enumerate(holds) if not held]
    # The rest means something only for a function that is right somewhere.
    works = any(held for held, group in zip(holds, groups, strict=True) if group)
    fault = None
    for index, item in enumerate(exercise.properties):
        if item.judge:
            fault = fault or item.judge(run.function)
            holds[index] = works and not fault
    misbehaviour = misbehaviour_of(exercise, run.function, groups, run.watchdog)
    holds.append(works and not misbehaviour)

    claims = [(item.claim, item.points) for item in exercise.properties]
    claims.append((exercise.well_behaved, 1))
    parts: Parts = ()
    for (claim, of), held in zip(claims, holds, strict=True):
        # Where the first one fails, a later failure is no finding, unless the message names it.
        is_finding = holds[0] or not parts or (misbehaviour and claim == exercise.well_behaved)
        parts += ((claim, of if held else 0 if is_finding else None, of),)
    if broken:
        return _explain(run, broken, misbehaviour, parts)
    if misbehaviour:
        code, text = misbehaviour
        return run.result("wrong", [text], parts=parts, diagnosis=code)
    if fault:
        text, line = fault
        named = next((mutant.name for mutant in exercise.mutants if mutant.sentence == text), None)
        return run.result("wrong", [text], parts=parts, code=line, diagnosis=named)
    return run.result("pass", ["All of it is right."], parts=parts)


def _explain(
    run: _Run, broken: list[int], misbehaviour: tuple[str, str] | None, parts: Parts
) -> Result:
    """Name the mistake, or say which property broke, with the numbers that show it."""
    exercise, groups = run.exercise, run.groups
    item = exercise.properties[broken[0]]
    trial = next(trial for trial in groups[broken[0]] if not is_right(trial, item.only))
    mutants = recognise(exercise, groups, _further(run), run.judge.outcome_of)
    if mutants and trial.outcome.error:  # show the known mistake where it gives numbers
        wrong = [other for group in groups for other in group if is_answered_wrongly(other)]
        trial = wrong[0] if wrong else trial
    outcome = trial.outcome

    diagnosis: str | None = None
    message: list[str] = []
    tables: tuple[Table, ...] = ()
    inputs: tuple[Table, ...] = ()
    if mutants:
        diagnosis = " | ".join(mutant.name for mutant in mutants)
        message += _sentences(mutants, trial)
    elif misbehaviour and misbehaviour[0] in ("varies", "changes_input"):
        diagnosis = misbehaviour[0]
        message.append(misbehaviour[1])
    elif outcome.answer:
        if broken[0]:  # which says what "the same" or "it" means
            message.append(f"This is right: {exercise.properties[0].claim}.")
        message.append(f"This is not right yet: {item.claim}.")
        message.append(_right_parts(run))
    if misbehaviour and diagnosis != misbehaviour[0]:
        message.append(misbehaviour[1])
    unused = "" if mutants else unused_arguments(run.function, exercise.optional)
    if outcome.error:  # last, since the line follows
        message += [unused, describe_error(exercise, trial.case, outcome.error)]
    elif outcome.bad_form:
        message += [outcome.bad_form, unused]
    elif outcome.answer:
        message.append(unused)
        part, sentences = describe_difference(exercise, trial, outcome.answer, item.only)
        message.append(" ".join(text for text in sentences if text not in message))
        tables, inputs = tables_of(exercise, trial, outcome.answer, part)
    return run.result(
        "error" if outcome.error and not mutants else "wrong",
        [text for text in message if text],
        code=outcome.code,
        parts=parts,
        tables=tables,
        inputs=inputs,
        diagnosis=diagnosis,
    )


def _right_parts(run: _Run) -> str:
    """Where an answer has two parts and one is right throughout, say which."""
    trials = [trial for group in run.groups for trial in group if trial.outcome.answer]
    right = [
        part
        for part in run.exercise.returns
        if all(part not in trial.expected or is_right(trial, part) for trial in trials)
    ]
    if len(run.exercise.returns) != 2 or len(right) != 1:
        return ""
    return f"Your {right[0]} {verb(right[0], 'is')} right: it is the other answer."


def _further(run: _Run) -> Iterator[list[Trial]]:
    """The same cases with other numbers, and what the function does, unless it is too slow."""
    spent = 0.0  # in the function alone: what is known of the mistakes by now must not count
    compared = sum(len(group) for group in run.groups)
    for seed in range(run.judge.seed + 1, run.judge.seed + 1 + FURTHER):
        if compared >= ENOUGH and seed > run.judge.seed + 1:
            return
        trials = [trial for group in run.judge.trials(seed) for trial in group]
        compared += len(trials)
        for trial in trials:
            begun = time.monotonic()
            trial.outcome = run.call(trial)
            spent += time.monotonic() - begun
            if spent > TIME_LIMIT:
                return
        yield trials


def _sentences(mutants: list[Mutant], trial: Trial) -> list[str]:
    """One mistake with what this run showed of it, or two between which no input decided."""
    if len(mutants) == 2:
        one, other = (mutant.sentence for mutant in mutants)
        return ["Two mistakes look like this.", f"Either: {one}", f"Or: {other}"]
    (mutant,), answer = mutants, trial.outcome.answer
    if not (mutant.evidence and answer):
        return [mutant.sentence]
    return [mutant.sentence, mutant.evidence(trial.case.args, trial.expected, answer)]


def _choose_seed(seed: int | None) -> int:
    if seed is not None:
        return seed
    fixed = os.environ.get("COURSE_SEED", "")
    return int(fixed) if fixed else secrets.randbelow(2**31)


def _result(
    exercise: Exercise,
    seed: int | None,
    status: str,
    message: list[str],
    *,
    parts: Parts = (),
    **more,
) -> Result:
    return Result(
        name=exercise.name,
        points=float(sum(got or 0 for _, got, _ in parts)),
        max_points=exercise.max_points,
        status=status,
        message=tuple(message),
        parts=parts,
        seed=seed,
        **more,
    )
