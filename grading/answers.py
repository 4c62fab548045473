"""What a student wrote, exercise by exercise, in a graded notebook."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import nbformat.v4
from nbformat import NotebookNode

from grading.mistakes import Mistake, mistakes_of
from grading.results import Result, folder_of


@dataclass(frozen=True)
class Written:
    """What one student wrote and what the checks said to it, each by check cell.

    The notebook itself is not kept: those of a class do not fit into memory.
    """

    answers: dict[str, str]
    mistakes: dict[str, Mistake]


def read_written(root: Path, result: Result) -> Written:
    """Read the graded notebook of one result in ``root``; it is empty where there is none."""
    notebook = None if result.unreadable else _graded_notebook(root, result)
    if notebook is None:
        return Written({}, {})
    answers = {name: cell.source if cell else "" for name, cell in answer_cells(notebook).items()}
    return Written(answers, mistakes_of(notebook))


def answer_cells(notebook: NotebookNode) -> dict[str, NotebookNode | None]:
    """The cell that each graded cell judges, by the grade_id of the latter.

    That is the nearest answer above a check, and an answer in words itself.
    """
    found: dict[str, NotebookNode | None] = {}
    answer = None
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if about.get("solution") and (about.get("grade") or cell.cell_type == "code"):
            answer = cell
        if about.get("grade"):
            found[about["grade_id"]] = answer
    return found


def _graded_notebook(root: Path, result: Result) -> NotebookNode | None:
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
