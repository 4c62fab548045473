"""inbox.csv: every entry of the folder of submissions, and whose it is.

It is written by each run. The tables hold the results of the students in it, so a submission that
was taken out of the folder is in none of them, though its result stays where it is.
"""

import csv
import itertools
from datetime import datetime
from pathlib import Path

from grading.submissions import MAX_ENTRIES, Inbox, printable
from grading.tables import write_table

NAME = "inbox.csv"


def write_inbox(folder: Path, inbox: Inbox) -> None:
    rows = [
        [printable(path.name), student, _newest(path), ""]
        for student, paths in inbox.students.items()
        for path in paths
    ]
    rows += [[name, "", "", f"not graded: {why}"] for name, why in inbox.skipped.items()]
    folder.mkdir(parents=True, exist_ok=True)
    write_table(folder / NAME, ["file", "student", "modified", "remark"], rows)


def _newest(path: Path) -> str:
    """When the newest file of an entry was last changed; "" where that cannot be told."""
    newest, waiting, left = 0.0, [path], MAX_ENTRIES
    while waiting and left:
        one = waiting.pop()
        left -= 1
        try:
            if one.is_symlink():
                continue
            if one.is_dir():
                waiting += list(itertools.islice(one.iterdir(), left))
            else:
                newest = max(newest, one.stat().st_mtime)
        except OSError:  # nested too deep, or not to be read: the grading says so
            continue
    try:
        return datetime.fromtimestamp(newest).isoformat(" ", "minutes") if newest else ""
    except (ValueError, OverflowError, OSError):  # no year that a calendar has
        return ""


def students_in_inbox(root: Path) -> set[str] | None:
    """The students of whom the last run into ``root`` had a submission.

    None where no run has left its table.
    """
    if not (root / NAME).exists():
        return None
    names = {row["student"] for row in _rows(root)}
    # What the table puts before a name that looks like a formula is no part of the name.
    return names | {name.removeprefix("'") for name in names}


def entries_in_inbox(root: Path) -> dict[str, str]:
    """What each student's submission, or the first file of it, is called in the folder."""
    found: dict[str, str] = {}
    for row in _rows(root):
        if row["student"]:
            found.setdefault(row["student"].removeprefix("'"), row["file"].removeprefix("'"))
    return found


def times_in_inbox(root: Path) -> dict[str, datetime]:
    """When the newest file of each student's submission was last changed, where that is known."""
    found: dict[str, datetime] = {}
    for row in _rows(root):
        if row["student"] and row.get("modified"):
            student = row["student"].removeprefix("'")
            time = datetime.fromisoformat(row["modified"])
            found[student] = max(time, found.get(student, time))
    return found


def _rows(root: Path) -> list[dict[str, str]]:
    if not (root / NAME).exists():
        return []
    with (root / NAME).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
