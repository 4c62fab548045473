"""One table of all assignments graded so far: a line for each student, and the total.

It is made of what stands in each assignment's scores.csv, so it can be made again at any time.
"""

from collections import Counter
from pathlib import Path

from grading.platforms import person
from grading.tables import read_table, write_table

TABLE = "all.csv"


def write_all_grades(folder: Path) -> Path:
    """Write all.csv into ``folder``, in which each assignment's results have a folder."""
    columns = {path.parent.name: _totals(path) for path in sorted(folder.glob("*/scores.csv"))}
    rows = []
    for student in sorted({student for column in columns.values() for student in column}):
        points = [column.get(student, "") for column in columns.values()]
        total = sum(float(number) for number in points if number)
        rows.append([student, *points, f"{total:g}"])
    write_table(folder / TABLE, ["student", *columns, "total"], rows)
    return folder / TABLE


def _totals(path: Path) -> dict[str, str]:
    """The points of each student in one assignment; "" where a person has still to give some.

    Students are called by their names: a platform's numbers may be others in each assignment.
    """
    columns, rows = read_table(path)
    cells = columns[1 : columns.index("score")]
    names = Counter(person(row["student"]) for _, row in rows)
    totals = {}
    for _, row in rows:
        name = person(row["student"])
        waits = any(not row[cell] for cell in cells)
        points = "" if waits else row.get("total") or row["score"]
        totals[name if names[name] == 1 else row["student"]] = points
    return totals
