"""From results to scores.csv, review.csv, by_hand.csv and nbgrader's gradebook.

by_hand.csv holds the answers in words. A person writes the scores into it, and the next merge takes
them into the other tables and the gradebook. A score belongs to the answer that stands beside it:
when the student hands in another one, it is dropped.
"""

import contextlib
import csv
import os
import shutil
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from nbgrader.api import Grade, Gradebook, MissingEntry

from grading.inbox import students_in_inbox
from grading.release import COURSE_ID, Release
from grading.results import Result, read_results
from grading.tables import harmless, write_table

BY_HAND = ["student", "cell", "answer", "max_score", "score"]


def merge(root: Path, release: Release) -> list[Result]:
    """Write the tables and the gradebook of all results below ``root`` (shards too) into it.

    A result whose submission is in no inbox any more is left out.

    Raises:
        ValueError: results were made under different conditions, or twice for one student; or a
            score in by_hand.csv is none.
    """
    results = [one for one in read_results(root) if one.assignment == release.name]
    students = [one.student for one in results]
    twice = sorted({name for name in students if students.count(name) > 1})
    if twice:
        raise ValueError(f"There are two results for {', '.join(twice)}: delete one folder each.")
    if len({one.seed for one in results}) > 1:
        raise ValueError("The results have different seeds: grade all shards with the same SEED.")
    given, outdated = _scores_by_hand(root / "by_hand.csv", results)
    given = _manual_scores(root / "gradebook.db", outdated) | given
    _write_by_hand(root / "by_hand.csv", results, given)
    present = students_in_inbox(root)
    here = [one for one in results if present is None or one.student in present]
    results = [_with_scores(one, given) for one in here]
    questions = list(
        dict.fromkeys(
            cell.metadata.nbgrader.grade_id
            for cell in release.notebook.cells
            if cell.metadata.get("nbgrader", {}).get("grade")
        )
    )
    write_table(
        root / "scores.csv",
        ["student", *questions, "score", "max_score", "review"],
        [
            [
                one.student,
                *(_shown_points(one, name) for name in questions),
                f"{one.score:g}",
                f"{one.max_score:g}",
                "yes" if _reasons(one) else "",
            ]
            for one in results
        ],
    )
    write_table(
        root / "review.csv",
        ["student", "score", "reasons"],
        [
            [one.student, f"{one.score:g}", "; ".join(_reasons(one))]
            for one in results
            if _reasons(one)
        ],
    )
    _write_gradebook(root / "gradebook.db", results, release, given)
    return results


def _reasons(one: Result) -> list[str]:
    """Why somebody should look at this result."""
    return [*one.review, *(f"to be graded by hand: {name}" for name in one.by_hand)]


def _shown_points(one: Result, name: str) -> str:
    """Empty while a person has not graded it."""
    return "" if name in one.by_hand else f"{one.points.get(name, [0, 0])[0]:g}"


Scores = dict[tuple[str, str], float]  # by student and cell


def _scores_by_hand(path: Path, results: list[Result]) -> tuple[Scores, Scores]:
    """The scores in by_hand.csv of answers that are still the same, and those of others."""
    given: Scores = {}
    outdated: Scores = {}
    if not path.exists():
        return given, outdated
    by_student = {harmless(one.student): one for one in results}
    with open(path, newline="", encoding="utf-8-sig") as file:
        for row in csv.DictReader(file):
            one, name = by_student.get(row["student"]), row["cell"]
            written = row["score"].strip()
            if not written or one is None or name not in one.by_hand:
                continue
            try:
                score = float(written.replace(",", "."))
            except ValueError:
                score = -1.0
            most = one.points[name][1]
            if not 0 <= score <= most:
                raise ValueError(
                    f"{path.name}: the score of {one.student} for {name} must be a number from 0 "
                    f"to {most:g}, got {written!r}."
                )
            is_same = row["answer"].split() == harmless(one.by_hand[name]).split()
            (given if is_same else outdated)[one.student, name] = score
    return given, outdated


def _manual_scores(path: Path, outdated: Scores) -> Scores:
    """The scores that a person gave in nbgrader's gradebook; they win over the machine's."""
    if not path.exists():
        return {}
    with _open(path) as gradebook:
        found = {
            (grade.notebook.assignment.student.id, grade.cell.name): grade.manual_score
            for grade in gradebook.db.query(Grade).filter(Grade.manual_score.isnot(None))
        }
    return {where: score for where, score in found.items() if outdated.get(where) != score}


def _write_by_hand(path: Path, results: list[Result], given: Scores) -> None:
    """Every answer that a person has to grade, with the scores that there are."""
    rows = []
    for one in results:
        for name, answer in one.by_hand.items():
            score = given.get((one.student, name))
            shown = "" if score is None else f"{score:g}"
            rows.append([one.student, name, answer, f"{one.points[name][1]:g}", shown])
    if rows or path.exists():
        write_table(path, BY_HAND, rows)


def _with_scores(one: Result, given: Scores) -> Result:
    """The result with the points that a person gave."""
    done = {name: given[one.student, name] for name in one.points if (one.student, name) in given}
    return replace(
        one,
        points=one.points | {name: [score, one.points[name][1]] for name, score in done.items()},
        by_hand={name: answer for name, answer in one.by_hand.items() if name not in done},
    )


def _write_gradebook(path: Path, results: list[Result], release: Release, given: Scores) -> None:
    """Replace the gradebook; manual scores and comments of the old one are kept."""
    new = path.with_suffix(".new")
    shutil.copy(path if path.exists() else release.gradebook, new)
    students = {one.student for one in results}
    with _open(new) as gradebook:
        for old in gradebook.assignment_submissions(release.name):
            if old.student.id not in students:
                gradebook.remove_submission(release.name, old.student.id)
        for one in results:
            gradebook.update_or_create_student(one.student)
            gradebook.update_or_create_submission(one.assignment, one.student)
            for name, (earned, _) in one.points.items():
                try:
                    grade = gradebook.find_grade(name, one.assignment, one.assignment, one.student)
                except MissingEntry:
                    raise ValueError(f"{path} is of an older assignment: move it away.") from None
                grade.manual_score = given.get((one.student, name))
                if grade.manual_score is None and name not in one.by_hand:
                    grade.auto_score = earned
                grade.needs_manual_grade = bool(one.review) or name in one.by_hand
        gradebook.db.commit()
    os.replace(new, path)


@contextlib.contextmanager
def _open(path: Path) -> Iterator[Gradebook]:
    with warnings.catch_warnings(), Gradebook(f"sqlite:///{path}", COURSE_ID) as gradebook:
        warnings.simplefilter("ignore")  # nbgrader's own, of SQLAlchemy
        yield gradebook
