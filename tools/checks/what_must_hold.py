"""What must hold of an exercise with every seed: `subjects` names it, `what_fails` tries it.

    reference, solution  the check's own answer and the notebook's get full points
                         and are shown as they are, as is what is told of each mistake
    answer:NAME          what stands in EXERCISE_answers.py is what it says of itself
    mistake:NAME         the mistake fails in all its forms and is called by its name
    constants            True, 0, [] and their like get no points
    edits                a small edit of a right answer that changes the result fails, and none is
                         called what it is not
    names of pairs       nor are two mistakes in one answer called a third

The seed draws the inputs of the check, and which edits and pairs are tried.
"""

import html
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from course_checks.judge.feedback import Result
from tools.checks.drawn_answers import faults_of_edits, untrue_names_of_pairs
from tools.checks.exercise_sources import EXERCISES, answers_of, define, judge_of, solution_sources
from tools.checks.shipped_answers import Answer, faults, verdicts_on

CONSTANTS: tuple[Any, ...] = (True, False, 0, [], "text", {})


def subjects(name: str) -> list[str]:
    """Of what something must hold in this exercise."""
    answers = [f"answer:{answer}" for answer in answers_of(name)]
    mistakes = [f"mistake:{mistake.name}" for mistake in EXERCISES[name].mistakes]
    return ["reference", "solution", *answers, *mistakes, *ALL_AT_ONCE]


def what_fails(name: str, subject: str, seed: int) -> str:
    """What does not hold with this seed; nothing ("") where all does.

    Raises:
        ValueError: there is no such exercise, or it has no such subject.
    """
    if name not in EXERCISES:
        raise ValueError(f"exercise must be the name of one, got {name!r}")
    if subject not in subjects(name):
        raise ValueError(f"subject must be one of {subjects(name)} in {name}, got {subject!r}")
    kind, _, which = subject.partition(":")
    if kind == "answer":
        return what_is_untrue(answers_of(name)[which], seed)
    if kind == "mistake":
        return _of_mistake(name, which, seed)
    if kind in ALL_AT_ONCE:
        return "\n".join(ALL_AT_ONCE[kind](name, seed))
    is_own = kind == "reference"
    function = EXERCISES[name].reference if is_own else define(solution_sources()[name][0], name)
    result = judge_of(name, seed)(function)
    passes = result.status == "pass" and result.points == result.max_points
    return what_is_not_shown(result) if passes else str(result)


def what_is_not_shown(result: Result) -> str:
    """What a result holds and its forms do not show, or show otherwise; nothing ("") where all is.

    nbgrader reads the points from its ``repr``, people read ``str`` or, in a notebook, the HTML.
    """
    shown = html.unescape(re.sub(r"<[^>]*>", "", result._repr_html_()))
    lines = [
        f"{claim} ({'–' if got is None else got} of {possible})"
        for claim, got, possible in result.parts
    ]
    lines += [*result.message, *(table.caption for table in result.tables + result.inputs)]
    if result.status == "wrong":
        lines.append(f"seed={result.seed}")
    missing = [line for line in lines if line not in shown]
    if ("not judged until" in shown) != any(got is None for _, got, _ in result.parts):
        missing.append("which parts were judged")
    missing += [f"(as text) {line}" for line in result.message if line not in str(result)]
    is_whole = re.fullmatch(r"\d+\.0", repr(result)) is not None
    if not is_whole or not float(repr(result)) == result.points <= result.max_points:
        missing.append(f"{result.points} points as {result!r}")
    # Without its tags, two numbers never run into one.
    missing += [f"two numbers: {both}" for both in re.findall(r"\d\.\d+\*?-?\d*\.\d", shown)]
    return "\n".join(missing)


def what_is_untrue(answer: Answer, seed: int) -> str:
    """What an answer says of itself and is not so, and what it was told instead."""
    by_kind = faults(answer, verdicts_on(answer, [judge_of(answer.exercise, seed)]))
    if not answer.label.must_be_named:
        del by_kind["not named"]
    return "\n".join(
        f"{kind} [{verdict.diagnosis}] {verdict.points:g} points\n{verdict.shown}"
        for kind, verdicts in by_kind.items()
        for verdict in verdicts
    )


def _of_mistake(name: str, called: str, seed: int) -> str:
    mistake = next(item for item in EXERCISES[name].mistakes if item.name == called)
    for function in mistake.functions:
        result = judge_of(name, seed)(function)
        is_wrong = result.status == "wrong" and result.points < result.max_points
        is_told = mistake.sentence in result.message and result.diagnosis == called
        if not (is_wrong and is_told):
            return f"called {result.diagnosis}\n{result}"
        if unseen := what_is_not_shown(result):
            return f"not shown: {unseen}\n{result}"
    return ""


def _constants(name: str, seed: int) -> Iterator[str]:
    for constant in CONSTANTS:
        result = judge_of(name, seed)(lambda *args, constant=constant: constant)
        if result.points or result.status != "wrong":
            yield f"{constant!r}\n{result}"


ALL_AT_ONCE: dict[str, Callable[[str, int], Iterable[str]]] = {
    "constants": _constants,
    "edits": faults_of_edits,
    "names of pairs": untrue_names_of_pairs,
}
