"""Who is in the class, and the table and the zip that a learning platform takes back.

A roster is a CSV file: the one that the platform gives (Moodle's grading worksheet, Canvas's
export of the gradebook), or a plain one with a column ``student``. The table that goes back is the
same file with the points in it. Who handed in nothing gets no points in it, not even 0: whether
that is a 0 a person decides.
"""

import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from grading.by_hand import WHOLE
from grading.platforms import CANVAS, MOODLE, is_called, person, same_letters
from grading.results import Judged, folder_of
from grading.tables import read_table, write_table

STUDENTS, GRADES, FEEDBACK = "roster.csv", "grades_for_upload.csv", "feedback.zip"
COMMENTS, MAXIMUM = "Feedback comments", "Maximum Grade"  # columns of Moodle's worksheet


@dataclass(frozen=True)
class _Row:
    """One line of the roster."""

    fields: dict[str, str]
    number: str  # the platform's, or ""
    names: tuple[str, ...]  # by which a submission may be called


@dataclass(frozen=True)
class Roster:
    """A class list as it was read; Canvas's line of the points possible goes back as it came."""

    kind: str  # "moodle", "canvas" or "plain"
    columns: list[str]
    rows: list[_Row]
    points_possible: dict[str, str] | None = None

    def find(self, student: str) -> _Row | None:
        """The line of the student whose submission is called ``student``; None where none is."""
        number = student.rpartition("_")[2]
        for row in self.rows:
            if row.number and row.number == number and "_" in student:
                return row
        name = same_letters(student)
        wanted = [row for row in self.rows if name in map(same_letters, row.names)]
        return wanted[0] if len(wanted) == 1 else None


def read_roster(path: Path) -> Roster:
    """Read a class list; ValueError where it is none, or names a student twice."""
    if not path.is_file():
        raise ValueError(f"ROSTER={path} is not a file.")
    columns, numbered = read_table(path)
    lines = [row for _, row in numbered]
    if {"Identifier", "Full name"} <= set(columns):
        rows = [
            _Row(line, line["Identifier"].rpartition(" ")[2], (line["Full name"],))
            for line in lines
        ]
        roster = Roster("moodle", columns, rows)
    elif {"Student", "ID"} <= set(columns):
        possible = [line for line in lines if line["Student"].strip() == "Points Possible"]
        students = [line for line in lines if line["ID"].strip()]
        rows = [
            _Row(line, line["ID"].strip(), (line["Student"], line.get("SIS Login ID", "")))
            for line in students
        ]
        roster = Roster("canvas", columns, rows, possible[0] if possible else None)
    elif "student" in columns:
        rows = [_Row(line, "", (line["student"].strip(),)) for line in lines]
        roster = Roster("plain", columns, rows)
    else:
        raise ValueError(
            f"ROSTER={path} must have a column 'student', or be Moodle's grading worksheet "
            f"('Identifier', 'Full name') or Canvas's export ('Student', 'ID'); it has "
            f"{', '.join(map(repr, columns)) or 'none'}."
        )
    keys = [row.number or same_letters(row.names[0]) for row in roster.rows]
    twice = sorted({key for key in keys if keys.count(key) > 1})
    if twice:
        raise ValueError(f"ROSTER={path} names {', '.join(twice)} more than once.")
    return roster


def other_maxima(roster: Roster, assignment: str, most: float) -> list[str]:
    """The points that the platform gives at most, as its file says, where they are not ``most``."""
    if roster.kind == "moodle":
        written = [row.fields.get(MAXIMUM, "") for row in roster.rows]
    else:
        written = [(roster.points_possible or {}).get(_grade_column(roster, assignment), "")]
    shown = {f"{most:{form}}" for form in ("g", ".1f", ".2f")}
    others = {text for text in written if text.strip() and text.replace(",", ".") not in shown}
    return sorted(others)


def write_roster_tables(
    root: Path,
    roster: Roster,
    assignment: str,
    results: list[Judged],
    entries: dict[str, str],
    exercises: dict[str, str] | None = None,
    held_back: Sequence[str] = (),
) -> tuple[int, int]:
    """Write who handed in and who did not, the grades to upload, and the feedback as one zip.

    ``entries`` is what each student's submission is called in the inbox. Who is ``held_back`` is in
    neither of the two that are handed out. Returned is how many of the roster handed in nothing,
    and how many submissions are not in it.
    """
    row_of = {result.student: roster.find(result.student) for result in results}
    by_row = {
        id(row_of[result.student]): result
        for result in results
        if row_of[result.student] is not None
    }
    strangers = [result for result in results if row_of[result.student] is None]
    table = []
    missing = 0
    for row in roster.rows:
        result = by_row.get(id(row))
        missing += result is None
        remark = result.late_words if result else "handed in nothing"
        table.append([row.names[0], result.student if result else "", _grade(result), remark])
    for result in strangers:
        table.append(
            ["", result.student, _grade(result), "not in the roster, or not the only one so called"]
        )
    write_table(root / STUDENTS, ["student", "submission", "score", "remark"], table)

    def is_given_out(row: _Row) -> bool:
        own = by_row.get(id(row))
        names = [*row.names, *([own.student] if own else [])]
        return not any(is_called(written, name) for written in names for name in held_back)

    given_out = replace(roster, rows=[row for row in roster.rows if is_given_out(row)])
    _write_grades(root / GRADES, given_out, assignment, by_row, exercises or {})
    shown = {id(row) for row in given_out.rows}
    _write_feedback(
        root, roster, [result for result in results if id(row_of[result.student]) in shown], entries
    )
    return missing, len(strangers)


def _grade(result: Judged | None) -> str:
    return "" if result is None or result.by_hand else f"{result.total:g}"


def _comments(result: Judged, exercises: dict[str, str], before: str) -> str:
    """A person's comments, the one on the whole first.

    Where there is none, what stood there ``before`` stays, without comments that count no more.
    """
    parts = _lines(result.comments, exercises)
    if parts:
        return "\n".join(parts)
    gone = "\n".join(_lines(result.withdrawn, exercises)).splitlines()
    return "\n".join(line for line in before.splitlines() if line not in gone)


def _lines(comments: dict[str, str], exercises: dict[str, str]) -> list[str]:
    whole = [comments[WHOLE]] if WHOLE in comments else []
    return whole + [f"{exercises.get(c, c)}: {text}" for c, text in comments.items() if c != WHOLE]


def _grade_column(roster: Roster, assignment: str) -> str:
    """The column that holds the points of ``assignment``, or will hold them."""
    if roster.kind == "moodle":
        return "Grade"
    if roster.kind == "canvas":
        return next((name for name in roster.columns if name.startswith(assignment)), assignment)
    return "score"


def _write_grades(
    path: Path,
    roster: Roster,
    assignment: str,
    by_row: dict[int, Judged],
    exercises: dict[str, str],
) -> None:
    columns, column = list(roster.columns), _grade_column(roster, assignment)
    if roster.kind == "canvas":
        # Canvas takes these and the assignment's; other columns would be changed with it.
        known = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
        columns = [name for name in columns if name in known]
    columns = columns if column in columns else [*columns, column]
    lines: list[dict[str, str]] = []
    if roster.points_possible:
        most = max((result.max_score for result in by_row.values()), default=0)
        line = dict(roster.points_possible)
        line[column] = line.get(column) or f"{most:g}"
        lines.append(line)
    for row in roster.rows:
        result = by_row.get(id(row))
        new = {column: _grade(result)} if _grade(result) else {}
        if result and roster.kind == "moodle" and COMMENTS in columns:
            new[COMMENTS] = _comments(result, exercises, row.fields[COMMENTS])
        lines.append(row.fields | new)
    write_table(path, columns, [[line.get(name, "") for name in columns] for line in lines])


def _write_feedback(
    root: Path, roster: Roster, results: Iterable[Judged], entries: dict[str, str]
) -> None:
    """Each page under the name that the download had, which is how a platform finds the student."""
    with zipfile.ZipFile(root / FEEDBACK, "w", zipfile.ZIP_DEFLATED) as archive:
        for result in results:
            folder = folder_of(root, result.student)
            entry, row = entries.get(result.student, result.student), roster.find(result.student)
            if roster.kind == "moodle" and row and not entry.startswith(person(result.student)):
                entry = f"{row.names[0]}_{row.number}_assignsubmission_file_"  # a partner's file
            if parts := MOODLE.fullmatch(entry):
                name = f"{parts['name']}_{parts['id']}_assignsubmission_file_/feedback.html"
            elif CANVAS.fullmatch(entry):
                name = f"{Path(entry).stem}.html"
            else:
                name = f"{result.student}/feedback.html"
            if folder:
                archive.write(folder / "feedback.html", name)
