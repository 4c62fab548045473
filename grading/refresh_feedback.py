"""Feedback pages with what people and the rule for late submissions add to them.

The page that grading leaves has the machine's points. Where something is added, or taken away
again, it is made anew from the graded notebook; a mark in its head says for what it was made.
"""

import hashlib
import json
import re
from pathlib import Path

from grading.feedback import feedback_page, plain_page
from grading.judged import Judged
from grading.results import Result, folder_of
from tools.notebooks.notebook_files import read_notebook

MARK = re.compile(r'<meta content="([0-9a-f]*)" name="added"/>')  # as nbconvert writes it


def refresh_feedback(
    root: Path, judged: list[Judged], results: list[Result], exercises: dict[str, str]
) -> None:
    """Make those pages anew that do not hold what was added.

    Args:
        root: holds the results' folders.
        judged: what counts.
        results: the same as the machine made it.
        exercises: the exercises' names by check cell.
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
