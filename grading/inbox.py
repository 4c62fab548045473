"""inbox.csv: every entry of the folder of submissions, and whose it is.

It is written by each run. The tables hold the results of the students in it, so a submission that
was taken out of the folder is in none of them, though its result stays where it is.
"""

import itertools
from datetime import datetime
from pathlib import Path

from grading.submissions import MAX_ENTRIES, Inbox, printable
from grading.tables import read_table, write_table

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
    return {student for student, _, _ in _rows(root)} if (root / NAME).exists() else None


def entries_in_inbox(root: Path) -> dict[str, str]:
    """What each student's submission, or the first file of it, is called in the folder."""
    return {student: file for student, file, _ in reversed(_rows(root))}


def times_in_inbox(root: Path) -> dict[str, datetime]:
    """When the newest file of each student's submission was last changed, where that is known."""
    times = [(student, datetime.fromisoformat(text)) for student, _, text in _rows(root) if text]
    return {student: time for student, time in sorted(times)}


def _rows(root: Path) -> list[tuple[str, str, str]]:
    """Student, file and time of each entry that is somebody's."""
    rows = read_table(root / NAME)[1] if (root / NAME).exists() else []
    columns = ("student", "file", "modified")
    found = [[row.get(name, "").removeprefix("'") for name in columns] for _, row in rows]
    return [(student, file, time) for student, file, time in found if student]
