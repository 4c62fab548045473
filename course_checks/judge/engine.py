"""Run a student's function on fresh inputs, give points per property, find the verdict.

When a property fails, the student's answers on all inputs are compared with those of every known
mistake: one that gives the same answers everywhere, and on further inputs too, is named. Where two
do, both are named; where none does, the property that broke is shown on its smallest input.
"""

import os
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch

from course_checks.exercise import Case, Exercise, Forbidden
from course_checks.judge.calling import (
    beside,
    call,
    holds_code,
    untouched_globals,
)
from course_checks.judge.diagnose import (
    is_answered_wrongly,
    is_right,
    misbehaviour_of,
    part_to_show,
    recognise,
    right_part_of,
)
from course_checks.judge.explain import (
    describe_fault,
    describe_lack,
    describe_task,
    result_of,
)
from course_checks.judge.feedback import Result
from course_checks.judge.gradient import OTHER_NUMBERS, gradient_fault
from course_checks.judge.signature import NOTHING, no_function, other_arguments
from course_checks.judge.source import unused_arguments
from course_checks.judge.trials import draw_trials, right_answer
from course_checks.judge.verdict import (
    Broken,
    Fault,
    Outcome,
    Parts,
    Trial,
    Verdict,
)
from course_checks.judge.watchdog import TimeLimit, Watchdog

TIME_LIMIT = 5.0  # seconds for one call of the student's function, and 4 times that for all
FURTHER = 4  # times that the cases are drawn again, at most, before a mistake is named
ENOUGH = 30  # trials on which a function did what the mistake does: then no more are drawn


class Check:
    """An exercise that can be called: ``checks.NAME(function)`` returns a Result."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.max_points = exercise.max_points
        self.title = f"Exercise {exercise.number} ({exercise.name})"
        self.__doc__ = describe_task(exercise)

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
        if given := beside(function, no_function, self.exercise, function):
            print(describe_fault(self.exercise, given, f"{self.exercise.name}.ready"))
            return False
        result = judge(self.exercise, function, _choose_seed(None))
        if result.status == "pass":
            return True
        print(f"{self.title} {describe_lack(result)}")
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
        self.mistakes = {version for mistake in exercise.mistakes for version in mistake.functions}
        self._drawn: dict[int, list[list[Trial]]] = {}  # by seed
        self._right: dict[Case, tuple[dict[str, Any], dict[str, frozenset[int]]]] = {}
        self._of_mistakes: dict[tuple[Callable, Case], Outcome] = {}

    def __call__(self, function: Callable) -> Result:
        problem = beside(function, no_function, self.exercise, function)
        problem = problem or beside(function, other_arguments, self.exercise, function)
        if problem:
            return result_of(Verdict(self.exercise, None, "error", problem))
        with untouched_globals(), Watchdog(TIME_LIMIT) as watchdog:
            run = _Run(self, function, self.unanswered_trials(self.seed), watchdog)
            return result_of(_stopped_early(run) or _award(run))

    def unanswered_trials(self, seed: int) -> list[list[Trial]]:
        """The cases of each property, with room for the right answers and what an answer does."""
        if seed not in self._drawn:
            self._drawn[seed] = draw_trials(self.exercise, seed)
        return [[replace(trial) for trial in group] for group in self._drawn[seed]]

    def trials(self, seed: int) -> list[list[Trial]]:
        """The cases of each property with the right answers."""
        groups = self.unanswered_trials(seed)
        self.work_out(groups)
        return groups

    def work_out(self, groups: list[list[Trial]]) -> None:
        """Put the right answers into trials; a case in float64 stays if all others are in float32.

        That is done once the function has answered: what is not there yet, it cannot read.
        """
        trials = [trial for group in groups for trial in group if not trial.is_double]
        for trial in trials:
            self._work_out(trial)
        answers = [part for trial in trials for part in trial.expected.values()]
        dtypes = {part.dtype for part in answers if isinstance(part, torch.Tensor)}
        for group in groups:
            if dtypes != {torch.float32}:
                group[:] = [trial for trial in group if not trial.is_double]
            for trial in group:
                self._work_out(trial)

    def _work_out(self, trial: Trial) -> None:
        if trial.case not in self._right:
            self._right[trial.case] = right_answer(self.exercise, trial.case)
        trial.expected, trial.integer_entries = self._right[trial.case]

    def outcome_of(self, version: Callable, trial: Trial) -> Outcome:
        """What the code of a known mistake does in a trial."""
        key = version, trial.case
        if key not in self._of_mistakes:
            args = trial.case.args
            self._of_mistakes[key] = call(self.exercise, version, args, trial.call_seed)
        return self._of_mistakes[key]


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
        if self.function in self.judge.mistakes:  # which is judged in tests
            return self.judge.outcome_of(self.function, trial)
        return call(self.exercise, self.function, trial.case.args, trial.call_seed, self.watchdog)

    def verdict(self, status: str, finding: Fault | Broken | None = None, **more) -> Verdict:
        return Verdict(self.exercise, self.judge.seed, status, finding, **more)


def _in_order(run: _Run) -> Iterator[Trial]:
    """All trials; behind those in the exercise's own dtype, the right answers are worked out.

    Before them, where a function or a module is given, which an answer might change.
    """
    if any(map(holds_code, (trial.case.args for group in run.groups for trial in group))):
        run.judge.work_out(run.groups)
    yield from (trial for group in run.groups for trial in group if not trial.is_double)
    run.judge.work_out(run.groups)
    yield from (trial for group in run.groups for trial in group if trial.is_double)


def _stopped_early(run: _Run) -> Verdict | None:
    """Call the function in every trial; a Verdict when it is not written, or cannot count."""
    spent = 0.0
    for trial in _in_order(run):
        trial.outcome = outcome = run.call(trial)
        error, code = outcome.error, outcome.code
        spent += outcome.seconds
        if outcome.is_stub:
            return run.verdict("todo")
        if isinstance(error, Forbidden):
            return run.verdict(
                "wrong", Fault("sentence", got=str(error)), code=code, diagnosis="forbidden"
            )
        if isinstance(error, TimeLimit):
            endless = Fault("endless", got=TIME_LIMIT, case=trial.case)
            return run.verdict("error", endless, code=code)
        if spent > 4 * TIME_LIMIT:
            return run.verdict("error", Fault("too_slow", got=4 * TIME_LIMIT, case=trial.case))
    return None


def _award(run: _Run) -> Verdict:
    """Points per property, and what is wrong with the first one that broke."""
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
            fault = fault or (
                beside(run.function, item.judge, run.function)
                if item.measured_inside
                else item.judge(run.function)
            )
        if item.gradient:
            cases = item.gradient(torch.Generator(device="cpu").manual_seed(0))
            fault = fault or gradient_fault(exercise, run.function, cases)
        if item.judge or item.gradient:
            holds[index] = holds[index] and works and not fault
    misbehaviour = misbehaviour_of(exercise, run.function, groups, run.watchdog)
    holds.append(works and not misbehaviour)

    claims = [(item.claim, item.points) for item in exercise.properties]
    apart = {item.claim for item in exercise.properties if item.judge or item.gradient}
    waiting = apart if broken and fault and fault[0] == OTHER_NUMBERS else set()
    claims.append((exercise.well_behaved, 1))
    parts: Parts = ()
    for (claim, possible), held in zip(claims, holds, strict=True):
        # Where the first one fails, a later failure is no finding, unless the message names it.
        is_finding = holds[0] or not parts or (misbehaviour and claim == exercise.well_behaved)
        is_open = claim in waiting or not is_finding
        parts += ((claim, possible if held else None if is_open else 0, possible),)
    if broken:
        return _name_mistake(run, broken[0], misbehaviour, parts)
    if misbehaviour:
        return run.verdict("wrong", misbehaviour, parts=parts, diagnosis=misbehaviour.code)
    if fault:
        text, line = fault
        named = next(
            (mistake.name for mistake in exercise.mistakes if mistake.sentence == text), None
        )
        finding = Fault("sentence", got=text)
        return run.verdict("wrong", finding, parts=parts, code=line, diagnosis=named)
    return run.verdict("pass", parts=parts)


def _name_mistake(run: _Run, broken: int, misbehaviour: Fault | None, parts: Parts) -> Verdict:
    """Name the mistake, or say which property broke, and where this is shown."""
    exercise, groups, function = run.exercise, run.groups, run.function
    item = exercise.properties[broken]
    trial = next(trial for trial in groups[broken] if not is_right(trial, item.only))
    mistakes = recognise(exercise, groups, _further_trials(run), run.judge.outcome_of)
    if mistakes and trial.outcome.error:  # show the known mistake where it gives numbers
        wrong = [other for group in groups for other in group if is_answered_wrongly(other)]
        trial = wrong[0] if wrong else trial
    outcome = trial.outcome
    diagnosis: str | None = None
    if mistakes:
        diagnosis = " | ".join(mistake.name for mistake in mistakes)
    elif misbehaviour and misbehaviour.code in ("answers_vary", "changes_input"):
        diagnosis = misbehaviour.code
    finding = Broken(
        item,
        trial,
        part_to_show(trial, item.only),
        mistakes,
        misbehaviour,
        unused=[] if mistakes else beside(function, unused_arguments, function, exercise.optional),
        right_part=right_part_of(exercise, groups),
    )
    status = "error" if outcome.error and not mistakes else "wrong"
    return run.verdict(status, finding, parts=parts, code=outcome.code, diagnosis=diagnosis)


def _further_trials(run: _Run) -> Iterator[list[Trial]]:
    """The same cases with other numbers, and what the function does, unless it is too slow."""
    spent = 0.0  # in the function alone: what is known of the mistakes by now must not count
    compared = sum(len(group) for group in run.groups)
    for seed in range(run.judge.seed + 1, run.judge.seed + 1 + FURTHER):
        trials = [trial for group in run.judge.trials(seed) for trial in group]
        for trial in trials:
            begun = time.monotonic()
            trial.outcome = run.call(trial)
            spent += time.monotonic() - begun
            if spent > TIME_LIMIT:
                return
        yield trials
        compared += len(trials)
        if compared >= ENOUGH:
            return


def _choose_seed(seed: int | None) -> int:
    if seed is not None:
        return seed
    fixed = os.environ.get("COURSE_SEED", "")
    return int(fixed) if fixed else secrets.randbelow(2**31)
