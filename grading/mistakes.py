"""What a student wrote in a graded notebook, and which mistake each check named.

A check shows its verdict as HTML. Its first line says how it went, and a known mistake stands in it
with its own sentence, by which it is found here. The notebook is the student's, so this is for
reading and decides no points.
"""

import hashlib
import html
import re
from dataclasses import dataclass
from pathlib import Path

import nbformat.v4
from nbformat import NotebookNode

import course_checks as checks
from grading.results import Result, folder_of

NOT_WRITTEN = "not written yet"
WITH_AN_ERROR = "stops with an error"
NOT_RECOGNISED = "wrong, and not recognised"
NO_VERDICT = "the check showed no verdict"
IN_ANOTHER_WAY = "wrong in another way"
OURS = "Grading"  # the name of errors that the grader put into a notebook


@dataclass(frozen=True)
class Mistake:
    """What went wrong, by name or in a word of this module, and what the student was told."""

    name: str
    sentence: str = ""


def mistakes_of(notebook: NotebookNode) -> dict[str, Mistake]:
    """The mistake in each check cell that is not at full points, by the cell's grade_id."""
    found = {}
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        called = re.search(r"checks\.(\w+)\(", cell.source)
        if not (cell.cell_type == "code" and about.get("grade") and called):
            continue
        if called[1] in checks.ALL and (one := _mistake_of(called[1], cell.get("outputs", []))):
            found[about["grade_id"]] = one
    return found


def _mistake_of(exercise: str, outputs: list[NotebookNode]) -> Mistake | None:
    shown = [
        output.data["text/html"] for output in outputs if "text/html" in output.get("data", {})
    ]
    verdict = [text for text in shown if f"{exercise}: " in text]
    if not verdict:
        errors = [output for output in outputs if output.output_type == "error"]
        if not errors:
            return Mistake(NO_VERDICT)
        own = "" if errors[-1].ename == OURS else f"{errors[-1].ename}: "
        return Mistake(WITH_AN_ERROR, own + errors[-1].evalue)
    paragraphs = [
        html.unescape(re.sub("<[^>]*>", "", text)).strip()
        for text in re.findall(r"<p>(.*?)</p>", str(verdict[-1]), re.DOTALL)
    ]
    headline, *rest = paragraphs or [""]
    if headline.startswith("✔"):
        return None
    if headline.startswith("○"):
        return Mistake(NOT_WRITTEN)
    told = " ".join(rest)
    known = [one for one in checks.ALL[exercise].exercise.mistakes if one.sentence in told]
    if known:
        names = ", or ".join(one.name.replace("_", " ") for one in known)
        return Mistake(names, " Or: ".join(one.sentence for one in known))
    stopped = next((text for text in rest if "stopped with an error" in text), "")
    if stopped:
        return Mistake(WITH_AN_ERROR, re.sub(".*?: ([A-Z][A-Za-z]*: )", r"\1", stopped))
    broken = next((text for text in rest if text.startswith("This is not right yet:")), "")
    if broken:
        return Mistake(NOT_RECOGNISED, broken)
    return Mistake(IN_ANOTHER_WAY, " ".join(rest[:1]))


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
    found: dict[str, NotebookNode | None] = {}
    answer = None
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if about.get("solution") and (about.get("grade") or cell.cell_type == "code"):
            answer = cell
        if about.get("grade"):
            found[about["grade_id"]] = answer
    return found


def digests(result: Result, answers: dict[str, str]) -> dict[str, str]:
    """A short digest of each answer, by check cell; of all that was handed in, by ""."""
    whole = {"": result.made_of.get("submission", "")}
    texts = {cell: text.encode(errors="backslashreplace") for cell, text in answers.items()}
    return whole | {cell: hashlib.sha256(text).hexdigest()[:16] for cell, text in texts.items()}
