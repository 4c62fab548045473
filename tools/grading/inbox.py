"""inbox.csv: every entry of the folder of submissions, and whose it is.

It is written by each run. The tables hold the results of the students in it, so a submission that
was taken out of the folder is in none of them, though its result stays where it is.
"""

import csv
from pathlib import Path

from grading.submissions import Inbox, printable
from grading.tables import write_table

NAME = "inbox.csv"


def write_inbox(folder: Path, inbox: Inbox) -> None:
    rows = [
        [printable(path.name), student, ""]
        for student, paths in inbox.students.items()
        for path in paths
    ]
    rows += [[name, "", f"not graded: {why}"] for name, why in inbox.skipped.items()]
    folder.mkdir(parents=True, exist_ok=True)
    write_table(folder / NAME, ["file", "student", "remark"], rows)


def students_in_inbox(root: Path) -> set[str] | None:
    """The students of whom the last run into ``root``, or into a shard below it, had a submission.

    None where no run has left its table.
    """
    tables = [*root.glob(NAME), *root.glob(f"*/{NAME}")]
    names = {row["student"] for path in tables for row in _rows(path)}
    # What the table puts before a name that looks like a formula is no part of the name.
    return names | {name.removeprefix("'") for name in names} if tables else None


def entries_in_inbox(root: Path) -> dict[str, str]:
    """What each student's submission, or the first file of it, is called in the folder."""
    found: dict[str, str] = {}
    for path in [*root.glob(NAME), *root.glob(f"*/{NAME}")]:
        for row in _rows(path):
            if row["student"]:
                found.setdefault(row["student"].removeprefix("'"), row["file"].removeprefix("'"))
    return found


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
