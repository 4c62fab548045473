"""From results to scores.csv, review.csv and nbgrader's gradebook."""

import csv
import os
import shutil
import tempfile
import warnings
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry

from grading.release import COURSE_ID, Release
from grading.results import Result, read_results


def merge(root: Path, release: Release) -> list[Result]:
    """Write the tables and the gradebook of all results below ``root`` (shards too) into it.

    Raises:
        ValueError: results were made under different conditions, or twice for one student.
    """
    results = [one for one in read_results(root) if one.assignment == release.name]
    students = [one.student for one in results]
    twice = sorted({name for name in students if students.count(name) > 1})
    if twice:
        raise ValueError(f"There are two results for {', '.join(twice)}: delete one folder each.")
    if len({one.seed for one in results}) > 1:
        raise ValueError("The results have different seeds: grade all shards with the same SEED.")
    questions = list(
        dict.fromkeys(
            cell.metadata.nbgrader.grade_id
            for cell in release.notebook.cells
            if cell.metadata.get("nbgrader", {}).get("grade")
        )
    )
    _write_table(
        root / "scores.csv",
        ["student", *questions, "score", "max_score", "review"],
        [
            [
                one.student,
                *(f"{one.points.get(name, [0, 0])[0]:g}" for name in questions),
                f"{one.score:g}",
                f"{one.max_score:g}",
                "yes" if one.review else "",
            ]
            for one in results
        ],
    )
    _write_table(
        root / "review.csv",
        ["student", "score", "reasons"],
        [[one.student, f"{one.score:g}", "; ".join(one.review)] for one in results if one.review],
    )
    _write_gradebook(root / "gradebook.db", results, release)
    return results


def _write_table(path: Path, head: list[str], rows: list[list[str]]) -> None:
    with tempfile.NamedTemporaryFile(
        "w", newline="", encoding="utf-8", dir=path.parent, delete=False
    ) as file:
        csv.writer(file).writerows([head, *([_harmless(cell) for cell in row] for row in rows)])
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def _harmless(cell: str) -> str:
    """A spreadsheet runs what starts like a formula, such as a file called =1+1.ipynb."""
    return "'" + cell if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def _write_gradebook(path: Path, results: list[Result], release: Release) -> None:
    """Replace the gradebook; manual scores and comments of the old one are kept."""
    new = path.with_suffix(".new")
    shutil.copy(path if path.exists() else release.gradebook, new)
    with warnings.catch_warnings(), Gradebook(f"sqlite:///{new}", COURSE_ID) as gradebook:
        warnings.simplefilter("ignore")  # nbgrader's own, of SQLAlchemy
        for one in results:
            gradebook.update_or_create_student(one.student)
            gradebook.update_or_create_submission(one.assignment, one.student)
            for name, (earned, _) in one.points.items():
                try:
                    grade = gradebook.find_grade(name, one.assignment, one.assignment, one.student)
                except MissingEntry:
                    raise ValueError(f"{path} is of an older assignment: move it away.") from None
                grade.auto_score = earned
                grade.needs_manual_grade = bool(one.review)
        gradebook.db.commit()
    os.replace(new, path)
