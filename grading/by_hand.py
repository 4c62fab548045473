"""Points and comments by hand: a person's own CSV, which this program reads and never writes.

It lies beside the folder of the results, with a rubric if there is one; docs/instructors.md says
what stands in both. What a person wrote belongs to the answer that was there at the time. When the
student hands in another one, the line is set aside, and review.csv says so.
"""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grading.platforms import is_called, same_letters
from grading.results import SET_ASIDE, Result
from grading.tables import read_table

COLUMNS = ("student", "exercise", "points", "comment")
RUBRIC_COLUMNS = ("exercise", "criterion", "points", "sentence")
NOTHING_MET = "none"
WHOLE = ""  # stands for the exercise in a line about the whole submission


@dataclass(frozen=True)
class Line:
    """One line of the file; ``points`` is None where only a comment is given."""

    student: str
    cell: str
    points: float | None
    comment: str


@dataclass
class Given:
    """What people gave to one submission: points and comments by cell, on the whole by "".

    ``seen`` are lines of the review that a person has dealt with, ``withdrawn`` the comments of
    lines that are not used, and ``set_aside`` what review.csv says of these.
    """

    points: dict[str, float] = field(default_factory=dict)
    comments: dict[str, str] = field(default_factory=dict)
    withdrawn: dict[str, str] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)
    set_aside: list[str] = field(default_factory=list)


def path_of(root: Path) -> Path:
    """Where the file for the results in ``root`` is."""
    return root.parent / f"{root.resolve().name}_by_hand.csv"


Rubric = dict[str, dict[str, tuple[float, str]]]  # points and sentence by cell and criterion


def read_rubric(path: Path, exercises: dict[str, str], most: dict[str, float]) -> Rubric:
    """Read the rubric beside the file ``path`` of points by hand; ValueError where it cannot be."""
    path = path.with_name(path.name.replace("_by_hand.csv", "_rubric.csv"))
    rubric: Rubric = {}
    if not path.exists():
        return rubric
    columns, rows = read_table(path)
    _require(path, columns, RUBRIC_COLUMNS)
    for number, row in rows:
        try:
            cell, name = (
                find_exercise(exercises, row["exercise"]),
                row["criterion"].strip().casefold(),
            )
            points = _points(row["points"], cell, most)
            if points is None or not re.fullmatch(r"\w+", name) or name == NOTHING_MET:
                raise ValueError("a criterion has one word as its name, and points")
        except ValueError as problem:
            raise ValueError(f"{path}, line {number}: {problem}") from None
        rubric.setdefault(cell, {})[name] = (points, row["sentence"].strip() or name)
    for cell, criteria in rubric.items():
        if (total := sum(points for points, _ in criteria.values())) != most[cell]:
            raise ValueError(
                f"{path}: {cell} has {most[cell]:g} points, and its criteria {total:g}"
            )
    return rubric


def _by_rubric(written: str, comment: str, criteria: dict[str, tuple[float, str]]) -> tuple:
    """Points in numbers and the comment, where ``written`` names criteria."""
    met = {word for word in re.split(r"[\s,;+]+", written.casefold()) if word} - {NOTHING_MET}
    if not written.strip() or not met <= criteria.keys():
        return written, comment
    sentences = [
        f"{points if name in met else 0:g} of {points:g}: {sentence}"
        for name, (points, sentence) in criteria.items()
    ]
    total = sum(criteria[name][0] for name in met)
    return f"{total:g}", "\n".join([*sentences, *([comment] if comment else [])])


def _require(path: Path, columns: list[str], wanted: tuple[str, ...]) -> None:
    if lacking := [name for name in wanted if name not in columns]:
        raise ValueError(
            f"{path} has no column {' and no column '.join(lacking)}: its first line should be "
            f"{','.join(wanted)}."
        )


def read_lines(
    path: Path,
    students: Iterable[str],
    exercises: dict[str, str],
    most: dict[str, float],
    rubric: Rubric | None = None,
) -> list[Line]:
    """Read the file; none is as good as an empty one.

    ``students`` are all that have a submission, and ``most`` the points of each check cell. A
    ValueError names all lines that cannot be used.
    """
    if not path.exists():
        return []
    columns, rows = read_table(path)
    _require(path, columns, COLUMNS)
    known = set(students)
    lines: dict[tuple[str, str], tuple[int, Line]] = {}
    problems = []
    for number, row in rows:
        if not any(row[name].strip() for name in ("points", "comment")):
            continue  # not filled in yet
        try:
            student = find_student(known, row["student"])
            whole = not row["exercise"].strip()
            cell = WHOLE if whole else find_exercise(exercises, row["exercise"])
            criteria = (rubric or {}).get(cell, {})
            points, comment = _by_rubric(row["points"], row["comment"].strip(), criteria)
            line = Line(student, cell, _points(points, cell, most), comment)
            if (student, cell) in lines:
                earlier = lines[student, cell][0]
                raise ValueError(f"line {earlier} is about the same exercise of {student}")
            lines[student, cell] = (number, line)
        except ValueError as problem:
            problems.append(f"line {number}: {problem}")
    if problems:
        raise ValueError("\n".join([f"{path} cannot be used as it is:", *problems]))
    return [line for _, line in lines.values()]


def _points(written: str, cell: str, most: dict[str, float]) -> float | None:
    written = written.strip()
    if not written:
        return None
    if cell == WHOLE:
        raise ValueError(f"points ({written}) need an exercise")
    try:
        points = float(written.replace(",", "."))
    except ValueError:
        points = -1.0
    if not 0 <= points <= most[cell]:  # NaN is not either
        raise ValueError(f"points must be a number from 0 to {most[cell]:g}, got {written!r}")
    return points


def find_student(students: Iterable[str], written: str) -> str:
    """The student that is meant: as in scores.csv, or by a name or number of only one."""
    exact = written.strip().removeprefix("'")
    known = {student: same_letters(student) for student in students}
    wanted = same_letters(exact)
    called = [student for student, key in known.items() if key == wanted]
    called = called or [student for student in known if is_called(student, exact)]
    if exact in called:
        return exact
    if len(called) == 1:
        return called[0]
    if called:
        raise ValueError(f"{written!r} may be {' or '.join(sorted(called))}: write which")
    near = difflib.get_close_matches(wanted, known.values(), 1)
    hint = "".join(f" (is {student} meant?)" for student, key in known.items() if key in near)
    raise ValueError(f"there is no submission of {written!r}{hint}")


def find_exercise(exercises: dict[str, str], written: str) -> str:
    """The check cell that is meant: by its name, its heading, or the heading's number."""
    wanted, cells = written.strip().casefold(), []
    for cell, heading in exercises.items():
        start = heading.partition(" · ")[0]
        names = (cell, cell.removeprefix("check_"), heading, start, start.removeprefix("Exercise "))
        if wanted in map(str.casefold, names):
            cells.append(cell)
    if len(cells) == 1:
        return cells[0]
    known = ", ".join(dict.fromkeys(heading.partition(" · ")[0] for heading in exercises.values()))
    raise ValueError(f"there is no exercise {written!r}; there are {known}")


def for_both(lines: list[Line], pairs: list[list[str]], students: Iterable[str]) -> list[Line]:
    """The lines, and for whoever works with their student the same, but for lines of their own."""
    own = {(line.student, line.cell) for line in lines}
    more = []
    for pair in pairs:
        both = [student for student in students if any(is_called(student, name) for name in pair)]
        for line in lines:
            if line.student in both:
                others = (partner for partner in both if (partner, line.cell) not in own)
                more += [replace(line, student=partner) for partner in others]
    return lines + more


def bind(
    lines: list[Line],
    results: list[Result],
    answers: dict[str, dict[str, str]],
    exercises: dict[str, str],
    before: dict,
) -> tuple[dict[str, Given], dict]:
    """Give each line to the submission that it was written for.

    ``answers`` are digests by student and check cell; that of the whole by "". ``before`` is what
    the last run kept, and what the person saw who wrote a line since. Returned is what holds by
    student, and the lines to keep for the next run.
    """
    by_student = {result.student: result for result in results}
    given: dict[str, Given] = {}
    kept = dict(before.get("lines", {}))  # a line may be taken out, and put back later
    for line in lines:
        result = by_student.get(line.student)
        if result is None:
            continue  # not graded yet
        key = f"{line.student}\n{line.cell}"
        written = [line.points, line.comment]
        known = kept.get(key)
        seen = before.get("students", {}).get(line.student)
        now: dict[str, Any] = {"answers": answers[line.student], "review": result.review}
        if known and known["written"] == written:
            bound = known
        else:
            last = seen or now
            answer = last["answers"].get(line.cell, "")
            bound = {"written": written, "answer": answer, "review": last["review"]}
        kept[key] = bound
        own = given.setdefault(line.student, Given())
        if bound["answer"] != now["answers"].get(line.cell, ""):
            exercise = exercises.get(line.cell, "the whole submission")
            contents = "a comment" if line.points is None else f"{line.points:g} points"
            own.set_aside.append(
                f"{SET_ASIDE}: what was given by hand for {exercise} ({contents}) is about an "
                "earlier answer: to use it still, change its comment"
            )
            if line.comment:
                own.withdrawn[line.cell] = line.comment
            continue
        if line.points is not None:
            own.points[line.cell] = line.points
        if line.comment:
            own.comments[line.cell] = line.comment
        if line.cell == WHOLE:
            own.seen = [reason for reason in result.review if reason in bound["review"]]
    return given, kept
