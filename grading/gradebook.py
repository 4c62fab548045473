"""nbgrader's gradebook of a class: written from the results, and read for a person's scores."""

import contextlib
import os
import shutil
import warnings
from collections.abc import Iterator
from pathlib import Path

from nbgrader.api import Grade, Gradebook, MissingEntry

from grading.mistakes import answer_cells
from grading.release import COURSE_ID, Release
from grading.results import Judged

Scores = dict[tuple[str, str], float]  # by student and cell


def manual_scores(path: Path) -> Scores:
    """The scores that stand in the gradebook as given by a person."""
    if not path.exists():
        return {}
    with _open(path) as gradebook:
        return {
            (grade.notebook.assignment.student.id, grade.cell.name): grade.manual_score
            for grade in gradebook.db.query(Grade).filter(Grade.manual_score.isnot(None))
        }


def write_gradebook(path: Path, results: list[Judged], release: Release) -> None:
    """Replace the gradebook; comments that were written in it are kept."""
    new = path.with_suffix(".new")
    shutil.copy(path if path.exists() else release.gradebook, new)
    students = {one.student for one in results}
    answers = {
        name: cell.metadata.nbgrader.grade_id
        for name, cell in answer_cells(release.notebook).items()
        if cell
    }  # nbgrader shows a comment at the answer
    with _open(new) as gradebook:
        for old in gradebook.assignment_submissions(release.name):
            if old.student.id not in students:
                gradebook.remove_submission(release.name, old.student.id)
        for one in results:
            gradebook.update_or_create_student(one.student)
            submission = gradebook.update_or_create_submission(one.assignment, one.student)
            late = one.late.deduction if one.late and one.late.applied else 0.0
            for notebook in submission.notebooks:
                notebook.late_submission_penalty = late
            where = (one.assignment, one.assignment, one.student)
            for name, (earned, _) in one.points.items():
                try:
                    grade = gradebook.find_grade(name, *where)
                except MissingEntry:
                    raise ValueError(f"{path} is of an older assignment: move it away.") from None
                grade.manual_score = earned if name in one.given else None
                if grade.manual_score is None and name not in one.by_hand:
                    grade.auto_score = earned
                grade.needs_manual_grade = bool(one.review) or name in one.by_hand
            for name, comment in one.comments.items():
                if name in answers:
                    gradebook.find_comment(answers[name], *where).manual_comment = comment
        gradebook.db.commit()
    os.replace(new, path)


@contextlib.contextmanager
def _open(path: Path) -> Iterator[Gradebook]:
    with warnings.catch_warnings(), Gradebook(f"sqlite:///{path}", COURSE_ID) as gradebook:
        warnings.simplefilter("ignore")  # nbgrader's own, of SQLAlchemy
        yield gradebook
