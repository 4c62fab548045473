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
        one
        for one in read_results(root)
        if one.assignment == release.name and (present is None or one.student in present)
    ]
    before = read_last_run(root)
    rule = late.read_rule(late.path_of(root), release.name)
    rubric = by_hand.read_rubric(by_hand.path_of(root), exercises, most)
    known = {*(present or ()), *(one.student for one in results)}
    lines = by_hand.read_lines(by_hand.path_of(root), known, exercises, most, rubric)
    lines = by_hand.for_both(lines, rule.pairs if rule else [], known)
    written = {one.student: read_written(root, one) for one in results}
    pairs = [
        pair
        for pair in alike_in_class(release, results, written)
        if not (rule and rule.are_a_pair(*pair.students))
    ]
    write_alike(root, pairs, exercises, len(results))
    alike = reasons(pairs, exercises)
    for student, same in published(release, written, exercises).items():
        alike[student] = [*alike.get(student, []), *same]
    results = [replace(one, review=one.review + alike.get(one.student, [])) for one in results]
    answers = {one.student: digests(one, written[one.student].answers) for one in results}
    given, kept_lines = by_hand.bind(lines, results, answers, exercises, before)
    scores = _from_gradebook(root / "gradebook.db", before)
    judged = _late([_with_given(one, given, scores) for one in results], root, rule, roster)
    _write_scores(root, list(most), judged)
    _write_to_grade(root / TO_GRADE, judged, exercises, rubric)
    _write_gradebook(root / "gradebook.db", judged, release)
    _refresh_feedback(root, judged, results, exercises)
    pictures = {
        one.student: picture(one, machine, answers[one.student])
        for one, machine in zip(judged, results, strict=True)
    }
    write_changes(root, before.get("students", {}), pictures, exercises)
    scores_written = [
        [one.student, cell, one.points[cell][0]]
        for one in judged
        for cell in one.given
        if (one.student, cell) not in scores
    ]
    kept = {"students": pictures, "lines": kept_lines, "written": scores_written}
    (root / KEPT).write_text(json.dumps(kept, indent=1), encoding="utf-8")
    return judged


def _from_gradebook(path: Path, before: dict) -> Scores:
    """The scores that a person gave in nbgrader's formgrader: those that no run wrote there."""
    if not path.exists():
        return {}
    own = {(student, cell): score for student, cell, score in before.get("written", [])}
    with _open(path) as gradebook:
        given = gradebook.db.query(Grade).filter(Grade.manual_score.isnot(None))
        found = {
            (grade.notebook.assignment.student.id, grade.cell.name): grade.manual_score
            for grade in given
        }
    return {where: score for where, score in found.items() if own.get(where) != score}


def _with_given(one: Result, given: dict[str, Given], scores: Scores) -> Judged:
    """The result with the points that people gave: in the file, or else in the gradebook."""
    mine = given.get(one.student, Given())
    done = {cell: scores[one.student, cell] for cell in one.points if (one.student, cell) in scores}
    done |= mine.points
    return Judged(
        **asdict(one)
        | {
            "points": one.points
            | {cell: [score, one.points[cell][1]] for cell, score in done.items()},
            "by_hand": {cell: text for cell, text in one.by_hand.items() if cell not in done},
            "review": [reason for reason in one.review if reason not in mine.seen] + mine.set_aside,
            "given": tuple(done),
            "comments": mine.comments,
            "withdrawn": mine.withdrawn,
            "nothing_judged": one.unreadable,
        }
    )


def _late(
    results: list[Judged], root: Path, rule: late.Rule | None, roster: Roster | None
) -> list[Judged]:
    entries, times = entries_in_inbox(root), late.believable(times_in_inbox(root))
    done = []
    for one in results:
        row = roster.find(one.student) if roster else None
        entry = entries.get(one.student, one.student)
        fields = row.fields if row else {}
        known = late.lateness(
            rule, one.student, entry, one.max_score, fields, times.get(one.student)
        )
        done.append(replace(one, late=known))
    return done


def _write_scores(root: Path, cells: list[str], results: list[Judged]) -> None:
    with_late = any(one.late for one in results)
    late_columns = ["handed_in", "late_days", "late_points", "total"] if with_late else []
    write_table(
        root / "scores.csv",
        ["student", *cells, "score", "max_score", "review", "by_hand", *late_columns],
        [
            [
                one.student,
                *(_shown_points(one, cell) for cell in cells),
                f"{one.score:g}",
                f"{one.max_score:g}",
                "yes" if _reasons(one) else "",
                " ".join(one.given),
                *(_late_fields(one) if with_late else []),
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


def _reasons(one: Result) -> list[str]:
    """Why somebody should look at this result."""
    return [*one.review, *(f"to be graded by hand: {name}" for name in one.by_hand)]


def _shown_points(one: Result, name: str) -> str:
    """Empty while a person has not graded it."""
    return "" if name in one.by_hand else f"{one.points.get(name, [0, 0])[0]:g}"


def _late_fields(one: Judged) -> list[str]:
    if one.late is None:
        return ["", "", "", f"{one.total:g}"]
    when = one.late.handed_in
    shown = f"{when:%Y-%m-%d %H:%M} ({one.late.source})" if when else ""
    days = "marked late" if one.late.days is None else str(one.late.days)
    off = f"{one.late.deduction:g}" + (
        " (not applied)" * (one.late.deduction > 0 and not one.late.applied)
    )
    return [shown, days, off, f"{one.total:g}"]


def _write_to_grade(
    path: Path, results: list[Judged], exercises: dict[str, str], rubric: by_hand.Rubric
) -> None:
    """Every answer that waits for a person, in the columns of the file that takes the points."""
    rows = [
        [
            *(one.student, cell, "", "", f"{one.points[cell][1]:g}"),
            " ".join(f"{name} ({worth:g})" for name, (worth, _) in rubric.get(cell, {}).items()),
            *(exercises.get(cell, cell), answer),
        ]
        for one in results
        for cell, answer in one.by_hand.items()
    ]
    if rows or path.exists():
        write_table(path, [*by_hand.COLUMNS, "of", "rubric", "task", "answer"], rows)


def _refresh_feedback(
    root: Path, judged: list[Judged], results: list[Result], exercises: dict[str, str]
) -> None:
    """Make those pages anew that do not hold what people and the rule for being late added.

    A mark in a page's head says for what it was made; ``results`` are the machine's own.
    """
    for one, machine in zip(judged, results, strict=True):
        folder = folder_of(root, one.student)
        if folder is None:
            continue
        path = folder / "feedback.html"
        added = _added(one)
        page = path.read_text(encoding="utf-8") if path.is_file() else ""
        found = MARK.search(page[:4000])
        if page and (found[1] if found else "") == added:
            continue
        notes = machine.told
        if machine.unreadable and one.given:
            notes = ["the program could not grade this, and a person gave the points"]
        if one.late and one.late.applied and one.late_words:
            notes = [f"{one.late_words}, which leaves {one.total:g} of {one.score:g}", *notes]
        try:
            if machine.unreadable:
                page = plain_page(one, exercises, notes, added)
            else:
                notebook = read_notebook(folder / "graded.ipynb")
                page = feedback_page(notebook, one, exercises, notes, added)
        except Exception:  # whatever a notebook shows, its points are there already
            page = plain_page(one, exercises, notes, added)
        path.write_text(page, encoding="utf-8", errors="backslashreplace")


def _added(one: Judged) -> str:
    """A digest of what the page must hold beside the machine's points; "" for nothing."""
    off = one.late_words if one.late and one.late.applied else ""
    given = {cell: one.points[cell] for cell in one.given}
    if not (given or one.comments or off):
        return ""
    return hashlib.sha256(json.dumps([given, one.comments, off]).encode()).hexdigest()[:16]


def _write_gradebook(path: Path, results: list[Judged], release: Release) -> None:
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
