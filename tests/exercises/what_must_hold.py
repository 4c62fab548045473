"""What must hold of an exercise with every seed: `subjects` names it, `what_fails` tries it.

    reference, solution  the check's own answer and the notebook's get full points
    right:FUNCTION       so does this function of right_answers.py
    mistake:NAME         the mistake fails in all its forms and is called by its name
    constants            True, 0, [] and their like get no points
    handed in            answers of handed_in.py score, are called and are told what stands there
    edits                a small edit of a right answer that changes the result fails
    names of edits       no such edit is called what it is not
    names of pairs       nor are two mistakes in one answer called a third

The seed draws the inputs of the check, and which edits and pairs are tried.
"""

from collections.abc import Callable

from course_checks.judge.feedback import Result
from exercises.drawn_edits import missed_edits
from exercises.sources import EXERCISES, define, judge_of, of_topic, right_answers, solution_sources
from exercises.true_names import untrue_names_of_edits, untrue_names_of_pairs

CONSTANTS = (True, False, 0, [], "text", {})


def subjects(name: str) -> list[str]:
    """Of what something must hold in this exercise."""
    right = [f"right:{key}" for key in right_answers(name)]
    wrong = [f"mistake:{mistake.name}" for mistake in EXERCISES[name].mistakes]
    return ["reference", "solution", *right, *wrong, *ALL_AT_ONCE]


def what_fails(name: str, subject: str, seed: int) -> str:
    """What does not hold with this seed; nothing ("") where all does.

    Raises:
        ValueError: there is no such exercise, or it has no such subject.
    """
    if name not in EXERCISES:
        raise ValueError(f"exercise must be the name of one, got {name!r}")
    if subject not in subjects(name):
        raise ValueError(f"subject must be one of {subjects(name)} in {name}, got {subject!r}")
    exercise = EXERCISES[name]
    kind, _, which = subject.partition(":")
    if kind == "mistake":
        return _of_mistake(name, which, seed)
    if kind in ALL_AT_ONCE:
        return "\n".join(ALL_AT_ONCE[kind](name, seed))
    if kind == "reference":
        function = exercise.reference
    elif kind == "solution":
        function = define(solution_sources()[name][0], name)
    else:
        function = right_answers(name)[which]
    result = judge_of(name, seed)(function)
    passes = result.status == "pass" and result.points == exercise.max_points
    return "" if passes else str(result)


def _of_mistake(name: str, called: str, seed: int) -> str:
    exercise = EXERCISES[name]
    mistake = next(item for item in exercise.mistakes if item.name == called)
    for function in mistake.functions:
        result = judge_of(name, seed)(function)
        if not _is_told(result, mistake.sentence) or result.diagnosis != called:
            return f"called {result.diagnosis}\n{result}"
    return ""


def _is_told(result: Result, sentence: str) -> bool:
    return (
        result.status == "wrong"
        and result.points < result.max_points
        and sentence in result.message
    )


def _constants(name: str, seed: int) -> list[str]:
    found = []
    for constant in CONSTANTS:
        result = judge_of(name, seed)(lambda *args, constant=constant: constant)
        if result.points or result.status != "wrong":
            found.append(f"{constant!r}\n{result}")
    return found


def _handed_in(name: str, seed: int) -> list[str]:
    found = []
    for of, answer, points, diagnosis, text in of_topic(name, "handed_in").ANSWERS:
        if of != name:
            continue
        result = judge_of(name, seed)(answer)
        lost = result.points < result.max_points
        scores = lost if points is None else result.points == points
        if not scores or result.diagnosis != diagnosis or text not in str(result):
            found.append(f"{answer.__name__}: called {result.diagnosis}\n{result}")
    return found


ALL_AT_ONCE: dict[str, Callable[[str, int], list[str]]] = {
    "constants": _constants,
    "handed in": _handed_in,
    "edits": missed_edits,
    "names of edits": untrue_names_of_edits,
    "names of pairs": untrue_names_of_pairs,
}
