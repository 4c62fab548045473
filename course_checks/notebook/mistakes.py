"""Which mistake each check of a notebook named.

A check shows its verdict as HTML. Its first line says how it went, and a known mistake stands in it
with its own sentence, by which it is found here. The notebook is the student's, so this is for
reading and decides no points.
"""

import html
import re
from dataclasses import dataclass

from nbformat import NotebookNode

import course_checks as checks

NOT_WRITTEN = "not written yet"
WITH_AN_ERROR = "stops with an error"
NOT_RECOGNISED = "wrong, and not recognised"
NO_VERDICT = "the check showed no verdict"
IN_ANOTHER_WAY = "wrong in another way"
OURS = "Grading"  # the name of errors that the grader put into a notebook
STOPPED = "the cell of your answer"  # how one begins where the answer did not run


@dataclass(frozen=True)
class Mistake:
    """What went wrong, by name or in a word of this module, and what the student was told."""

    name: str
    sentence: str = ""


def mistakes_of(notebook: NotebookNode) -> dict[str, Mistake]:
    """The mistake in each check cell that is not at full points, by the cell's grade_id."""
    mistakes = {}
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        called = re.search(r"checks\.(\w+)\(", cell.source)
        if not (cell.cell_type == "code" and about.get("grade") and called):
            continue
        if called[1] in checks.ALL and (mistake := _mistake_of(called[1], cell.get("outputs", []))):
            mistakes[about["grade_id"]] = mistake
    return mistakes


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
    sentences = " ".join(rest)
    listed = checks.ALL[exercise].exercise.mistakes
    known = [mistake for mistake in listed if mistake.sentence in sentences]
    if known:
        names = ", or ".join(mistake.name.replace("_", " ") for mistake in known)
        return Mistake(names, " Or: ".join(mistake.sentence for mistake in known))
    stopped = next((text for text in rest if "stopped with an error" in text), "")
    if stopped:
        return Mistake(WITH_AN_ERROR, re.sub(".*?: ([A-Z][A-Za-z]*: )", r"\1", stopped))
    broken = next((text for text in rest if text.startswith("This is not right yet:")), "")
    if broken:
        return Mistake(NOT_RECOGNISED, broken)
    return Mistake(IN_ANOTHER_WAY, " ".join(rest[:1]))
