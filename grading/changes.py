"""What a further run changed: changes.csv says for whom, and why.

last_run.json keeps what the run before ended with. It is also what people saw who wrote points by
hand since, so that by_hand can tell whether they meant the answer that is there now.
"""

import json
from datetime import datetime
from pathlib import Path

from grading.results import Judged, Result
from grading.tables import read_table, write_table

KEPT, TABLE = "last_run.json", "changes.csv"
COLUMNS = ["at", "student", "before", "now", "what", "why"]
# Why a result was made again, by the part of its key that is another one.
REASONS = {
    "submission": "another submission",
    "release": "the release (the assignment or course_lib)",
    "grader": "the grader",
    "settings": "the seed or the limits",
}


def read_last_run(root: Path) -> dict:
    """What the last run into ``root`` kept: {"students": ..., "lines": ...}, or empty."""
    try:
        kept = json.loads((root / KEPT).read_text(encoding="utf-8"))
        return kept if isinstance(kept, dict) else {}
    except (OSError, ValueError):
        return {}


def picture(result: Judged, machine: Result, answers: dict[str, str]) -> dict:
    """What is kept of one student; ``answers`` are digests of what was handed in."""
    return {
        "made_of": result.made_of,
        "points": {cell: earned for cell, (earned, _) in result.points.items()},
        "waiting": list(result.by_hand),
        "total": result.total,
        "late": result.late_words,
        "given": list(result.given),
        "review": machine.review,
        "answers": answers,
    }


def write_changes(
    root: Path, before: dict, now: dict[str, dict], exercises: dict[str, str]
) -> None:
    """Add a line to changes.csv for each student whose points are not those of the last run.

    ``before`` is what the last run kept of each student, and ``now`` the same of this run.
    """
    if not before:
        return
    at = datetime.now().isoformat(" ", "minutes")
    rows = []
    for student in sorted(before | now):
        old, new = before.get(student), now.get(student)
        if old is None or new is None:
            gone = "taken out of the folder" if new is None else "handed in since"
            rows.append([at, student, _total(old), _total(new), "", gone])
        elif old["points"] != new["points"] or _total(old) != _total(new):
            what = _changed_points(old, new, exercises)
            rows.append([at, student, _total(old), _total(new), what, _causes(old, new)])
    path = root / TABLE
    if rows or path.exists():
        earlier = read_table(path)[1] if path.exists() else []
        kept = [[row.get(name, "").removeprefix("'") for name in COLUMNS] for _, row in earlier]
        write_table(path, COLUMNS, kept + rows)


def _total(kept: dict | None) -> str:
    return "" if kept is None or kept["waiting"] else f"{kept['total']:g}"


def _changed_points(old: dict, new: dict, exercises: dict[str, str]) -> str:
    """The exercises with other points, from the old to the new ones."""
    cells = [cell for cell in new["points"] if old["points"].get(cell) != new["points"][cell]]
    parts = [
        f"{exercises.get(cell, cell)}: {old['points'].get(cell, 0):g} to {new['points'][cell]:g}"
        for cell in cells
    ]
    return "; ".join(parts)


def _causes(old: dict, new: dict) -> str:
    parts = [
        words
        for name, words in REASONS.items()
        if old["made_of"].get(name) != new["made_of"].get(name)
    ]
    if any(
        old["points"].get(cell) != new["points"].get(cell)
        for cell in {*old["given"], *new["given"]}
    ):
        parts.append("points by hand")
    if old["late"] != new["late"]:
        parts.append("the rule for late submissions")
    return ", ".join(parts) or "graded again, and nothing of it is another one"
