"""What a student wrote, exercise by exercise, in a graded notebook."""

import hashlib
from pathlib import Path

import nbformat.v4
from nbformat import NotebookNode

from grading.results import Result, folder_of


def answers_in(notebook: NotebookNode) -> dict[str, str]:
    """The text that each graded cell judges, by its grade_id.

    That is the nearest answer above a check, and an answer in words itself.
    """
    found: dict[str, str] = {}
    answer = ""
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if about.get("solution") and (about.get("grade") or cell.cell_type == "code"):
            answer = cell.source
        if about.get("grade"):
            found[about["grade_id"]] = answer
    return found


def graded_notebook(root: Path, result: Result) -> NotebookNode | None:
    """The notebook of one result in ``root``; None where it is gone.

    It was written by us, so it is not validated: with a class that takes minutes.
    """
    folder = folder_of(root, result.student)
    path = folder / "graded.ipynb" if folder else None
    if path is None or not path.is_file():
        return None
    return nbformat.v4.reads(path.read_text(encoding="utf-8"))


def digests(result: Result, answers: dict[str, str]) -> dict[str, str]:
    """A short digest of each answer, by check cell; of all that was handed in, by ""."""
    whole = {"": result.made_of.get("submission", "")}
    return whole | {cell: _digest(text) for cell, text in answers.items()}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()[:16]
