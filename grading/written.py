"""What a student wrote in a graded notebook, and what the checks said to it."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import nbformat.v4
from nbformat import NotebookNode

from course_checks.notebook.mistakes import Mistake, mistakes_of
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
    folder = None if result.unreadable else folder_of(root, result.student)
    path = folder / "graded.ipynb" if folder else None
    if path is None or not path.is_file():
        return Written({}, {})
    # It was written by us, so it is not validated: with a class that takes minutes.
    notebook = nbformat.v4.reads(path.read_text(encoding="utf-8"))
    answers = {name: cell.source if cell else "" for name, cell in answer_cells(notebook).items()}
    return Written(answers, mistakes_of(notebook))


def answer_cells(notebook: NotebookNode) -> dict[str, NotebookNode | None]:
    """The cell that each graded cell judges, by the grade_id of the latter.

    That is the nearest answer above a check, and an answer in words itself.
    """
    answers: dict[str, NotebookNode | None] = {}
    answer = None
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if about.get("solution") and (about.get("grade") or cell.cell_type == "code"):
            answer = cell
        if about.get("grade"):
            answers[about["grade_id"]] = answer
    return answers


def digests(result: Result, answers: dict[str, str]) -> dict[str, str]:
    """A short digest of each answer, by check cell; of all that was handed in, by ""."""
    whole = {"": result.made_of.get("submission", "")}
    texts = {cell: text.encode(errors="backslashreplace") for cell, text in answers.items()}
    return whole | {cell: hashlib.sha256(text).hexdigest()[:16] for cell, text in texts.items()}
