"""From results to scores.csv, review.csv, to_grade_by_hand.csv, changes.csv and the gradebook.

What people add (by_hand) and the rule for late submissions (late) come in here: results stay what
the machine made.
"""

import contextlib
import hashlib
import json
import os
import re
import shutil
import warnings
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from nbgrader.api import Grade, Gradebook, MissingEntry

from grading import by_hand, late
from grading.alike import alike_in_class, published, reasons, write_alike
from grading.by_hand import Given
from grading.changes import KEPT, picture, read_last_run, write_changes
from grading.feedback import exercise_names, feedback_page, plain_page
from grading.release import COURSE_ID, Release
from grading.results import Judged, Result, folder_of, read_results
from grading.roster import Roster
from grading.submissions import entries_in_inbox, students_in_inbox, times_in_inbox
from grading.tables import write_table
from grading.written import answer_cells, digests, read_written
from tools.notebooks.notebook_files import read_notebook

MARK = re.compile(r'<meta content="([0-9a-f]*)" name="added"/>')  # as nbconvert writes it
Scores = dict[tuple[str, str], float]  # by student and cell
TO_GRADE = "to_grade_by_hand.csv"


def merge(root: Path, release: Release, roster: Roster | None = None) -> list[Judged]:
    """Write the tables and the gradebook of all results in ``root`` into it.

    A result whose submission is in no inbox any more is left out. ValueError where a file that a
    person wrote cannot be used; see by_hand and late.
    """
    exercises = exercise_names(release.notebook)
    most = release.points
    present = students_in_inbox(root)
    results = [
        result
        for result in read_results(root)
        if result.assignment == release.name and (present is None or result.student in present)
    ]
    before = read_last_run(root)
    rule = late.read_rule(late.path_of(root), release.name)
    rubric = by_hand.read_rubric(by_hand.path_of(root), exercises, most)
    known = {*(present or ()), *(result.student for result in results)}
    lines = by_hand.read_lines(by_hand.path_of(root), known, exercises, most, rubric)
    lines = by_hand.for_both(lines, rule.pairs if rule else [], known)
    written = {result.student: read_written(root, result) for result in results}
    pairs = [
        pair
        for pair in alike_in_class(release, results, written)
        if not (rule and rule.are_a_pair(*pair.students))
    ]
    write_alike(root, pairs, exercises, len(results))
    alike = reasons(pairs, exercises)
    for student, same in published(release, written, exercises).items():
        alike[student] = [*alike.get(student, []), *same]
    results = [
        replace(result, review=result.review + alike.get(result.student, [])) for result in results
    ]
    answers = {
        result.student: digests(result, written[result.student].answers) for result in results
    }
    given, kept_lines = by_hand.bind(lines, results, answers, exercises, before)
    scores = _from_gradebook(root / "gradebook.db", before)
    judged = _with_lateness(
        [_with_given(result, given, scores) for result in results], root, rule, roster
    )
    _write_scores(root, list(most), judged)
    _write_to_grade(root / TO_GRADE, judged, exercises, rubric)
    _write_gradebook(root / "gradebook.db", judged, release)
    _refresh_feedback(root, judged, results, exercises)
    pictures = {
        result.student: picture(result, machine, answers[result.student])
        for result, machine in zip(judged, results, strict=True)
    }
    write_changes(root, before.get("students", {}), pictures, exercises)
    scores_written = [
        [result.student, cell, result.points[cell][0]]
        for result in judged
        for cell in result.given
        if (result.student, cell) not in scores
    ]
    kept = {"students": pictures, "lines": kept_lines, "written": scores_written}
    (root / KEPT).write_text(json.dumps(kept, indent=1), encoding="utf-8")
    return judged


def _from_gradebook(path: Path, before: dict) -> Scores:
    """The scores that a person gave in nbgrader's formgrader: those that no run wrote there."""
    if not path.exists():
        return {}
    by_runs = {(student, cell): score for student, cell, score in before.get("written", [])}
    with _open(path) as gradebook:
        given = gradebook.db.query(Grade).filter(Grade.manual_score.isnot(None))
        scores = {
            (grade.notebook.assignment.student.id, grade.cell.name): grade.manual_score
            for grade in given
        }
    return {where: score for where, score in scores.items() if by_runs.get(where) != score}


def _with_given(result: Result, given: dict[str, Given], scores: Scores) -> Judged:
    """The result with the points that people gave: in the file, or else in the gradebook."""
    own = given.get(result.student, Given())
    done = {
        cell: scores[result.student, cell]
        for cell in result.points
        if (result.student, cell) in scores
    }
    done |= own.points
    return Judged(
        **asdict(result)
        | {
            "points": result.points
            | {cell: [score, result.points[cell][1]] for cell, score in done.items()},
            "by_hand": {cell: text for cell, text in result.by_hand.items() if cell not in done},
            "review": [reason for reason in result.review if reason not in own.seen]
            + own.set_aside,
            "given": tuple(done),
            "comments": own.comments,
            "withdrawn": own.withdrawn,
            "nothing_judged": result.unreadable,
        }
    )


def _with_lateness(
    results: list[Judged], root: Path, rule: late.Rule | None, roster: Roster | None
) -> list[Judged]:
    entries, times = entries_in_inbox(root), late.believable(times_in_inbox(root))
    done = []
    for result in results:
        row = roster.find(result.student) if roster else None
        entry = entries.get(result.student, result.student)
        fields = row.fields if row else {}
        known = late.lateness(
            rule, result.student, entry, result.max_score, fields, times.get(result.student)
        )
        done.append(replace(result, late=known))
    return done


def _write_scores(root: Path, cells: list[str], results: list[Judged]) -> None:
    with_late = any(result.late for result in results)
    late_columns = ["handed_in", "late_days", "late_points", "total"] if with_late else []
    write_table(
        root / "scores.csv",
        ["student", *cells, "score", "max_score", "review", "by_hand", *late_columns],
        [
            [
                result.student,
                *(_shown_points(result, cell) for cell in cells),
                f"{result.score:g}",
                f"{result.max_score:g}",
                "yes" if _reasons(result) else "",
                " ".join(result.given),
                *(_late_fields(result) if with_late else []),
            ]
            for result in results
        ],
    )
    write_table(
        root / "review.csv",
        ["student", "score", "reasons"],
        [
            [result.student, f"{result.score:g}", "; ".join(_reasons(result))]
            for result in results
            if _reasons(result)
        ],
    )


def _reasons(result: Result) -> list[str]:
    """Why somebody should look at this result."""
    return [*result.review, *(f"to be graded by hand: {name}" for name in result.by_hand)]


def _shown_points(result: Result, name: str) -> str:
    """Empty while a person has not graded it."""
    return "" if name in result.by_hand else f"{result.points.get(name, [0, 0])[0]:g}"


def _late_fields(result: Judged) -> list[str]:
    if result.late is None:
        return ["", "", "", f"{result.total:g}"]
    when = result.late.handed_in
    shown = f"{when:%Y-%m-%d %H:%M} ({result.late.source})" if when else ""
    days = "marked late" if result.late.days is None else str(result.late.days)
    off = f"{result.late.deduction:g}" + (
        " (not applied)" * (result.late.deduction > 0 and not result.late.applied)
    )
    return [shown, days, off, f"{result.total:g}"]


def _write_to_grade(
    path: Path, results: list[Judged], exercises: dict[str, str], rubric: by_hand.Rubric
) -> None:
    """Every answer that waits for a person, in the columns of the file that takes the points."""
    rows = [
        [
            *(result.student, cell, "", "", f"{result.points[cell][1]:g}"),
            " ".join(f"{name} ({worth:g})" for name, (worth, _) in rubric.get(cell, {}).items()),
            *(exercises.get(cell, cell), answer),
        ]
        for result in results
        for cell, answer in result.by_hand.items()
    ]
    if rows or path.exists():
        write_table(path, [*by_hand.COLUMNS, "of", "rubric", "task", "answer"], rows)


def _refresh_feedback(
    root: Path, judged: list[Judged], results: list[Result], exercises: dict[str, str]
) -> None:
    """Make those pages anew that do not hold what people and the rule for being late added.

    A mark in a page's head says for what it was made; ``results`` are the machine's own.
    """
    for result, machine in zip(judged, results, strict=True):
        folder = folder_of(root, result.student)
        if folder is None:
            continue
        path = folder / "feedback.html"
        added = _digest_of_added(result)
        page = path.read_text(encoding="utf-8") if path.is_file() else ""
        mark = MARK.search(page[:4000])
        if page and (mark[1] if mark else "") == added:
            continue
        notes = machine.told
        if machine.unreadable and result.given:
            notes = ["the program could not grade this, and a person gave the points"]
        if result.late and result.late.applied and result.late_words:
            notes = [
                f"{result.late_words}, which leaves {result.total:g} of {result.score:g}",
                *notes,
            ]
        try:
            if machine.unreadable:
                page = plain_page(result, exercises, notes, added)
            else:
                notebook = read_notebook(folder / "graded.ipynb")
                page = feedback_page(notebook, result, exercises, notes, added)
        except Exception:  # whatever a notebook shows, its points are there already
            page = plain_page(result, exercises, notes, added)
        path.write_text(page, encoding="utf-8", errors="backslashreplace")


def _digest_of_added(result: Judged) -> str:
    """A digest of what the page must hold beside the machine's points; "" for nothing."""
    off = result.late_words if result.late and result.late.applied else ""
    given = {cell: result.points[cell] for cell in result.given}
    if not (given or result.comments or off):
        return ""
    return hashlib.sha256(json.dumps([given, result.comments, off]).encode()).hexdigest()[:16]


def _write_gradebook(path: Path, results: list[Judged], release: Release) -> None:
    """Replace the gradebook; comments that were written in it are kept."""
    new = path.with_suffix(".new")
    shutil.copy(path if path.exists() else release.gradebook, new)
    students = {result.student for result in results}
    answers = {
        name: cell.metadata.nbgrader.grade_id
        for name, cell in answer_cells(release.notebook).items()
        if cell
    }  # nbgrader shows a comment at the answer
    with _open(new) as gradebook:
        for old in gradebook.assignment_submissions(release.name):
            if old.student.id not in students:
                gradebook.remove_submission(release.name, old.student.id)
        for result in results:
            gradebook.update_or_create_student(result.student)
            submission = gradebook.update_or_create_submission(result.assignment, result.student)
            for notebook in submission.notebooks:
                notebook.late_submission_penalty = result.taken_off
            where = (result.assignment, result.assignment, result.student)
            for name, (earned, _) in result.points.items():
                try:
                    grade = gradebook.find_grade(name, *where)
                except MissingEntry:
                    raise ValueError(f"{path} is of an older assignment: move it away.") from None
                grade.manual_score = earned if name in result.given else None
                if grade.manual_score is None and name not in result.by_hand:
                    grade.auto_score = earned
                grade.needs_manual_grade = bool(result.review) or name in result.by_hand
            for name, comment in result.comments.items():
                if name in answers:
                    gradebook.find_comment(answers[name], *where).manual_comment = comment
        gradebook.db.commit()
    os.replace(new, path)


@contextlib.contextmanager
def _open(path: Path) -> Iterator[Gradebook]:
    with warnings.catch_warnings(), Gradebook(f"sqlite:///{path}", COURSE_ID) as gradebook:
        warnings.simplefilter("ignore")  # nbgrader's own, of SQLAlchemy
        yield gradebook
