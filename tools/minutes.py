"""How long a lesson takes, computed from what stands in it: make minutes.

Minutes = words / 110 + lines of code / 10 + 1.5 for each prediction. The core of a lesson is all
before its heading `## Deeper`; the rest is computed apart.

- Words: those of the markdown cells, the quiz and its answers too. The line of links in the first
  cell, addresses of links, HTML tags and comments, and signs that stand alone do not count.
- Lines of code: those that the notebook contract counts, so no comments and no empty lines. The
  set-up cell does not count; it is folded.
- Predictions: lines that begin with `> **Predict`.

Outputs do not count, nor does the time that cells run.
"""

import re
from dataclasses import dataclass

from nbformat import NotebookNode

from notebook_contract import lines_of_code
from notebook_files import ROOT, cell_tags, find_notebooks, read_notebook
from stamp_links import LINKS_LINE
from syllabus import LESSONS

HEADING = "## Deeper"
DEEPER = re.compile(rf"^{HEADING}\b", re.MULTILINE)
PREDICTION = re.compile(r"^> \*\*Predict", re.MULTILINE)
MARKUP = re.compile(r"<!--.*?-->|</?[a-zA-Z][^<>]*>", re.DOTALL)
ADDRESS = re.compile(r"(?<=\])\([^()\s]*\)")
WORD = re.compile(r"\S*\w\S*")


@dataclass(frozen=True)
class Load:
    """What a reader has to do: words to read, lines of code to run, predictions to make."""

    words: int = 0
    lines: int = 0
    predictions: int = 0

    def __add__(self, other: "Load") -> "Load":
        return Load(
            self.words + other.words,
            self.lines + other.lines,
            self.predictions + other.predictions,
        )

    @property
    def minutes(self) -> float:
        return self.words / 110 + self.lines / 10 + 1.5 * self.predictions


def load_of_text(markdown: str) -> Load:
    text = ADDRESS.sub("", MARKUP.sub(" ", LINKS_LINE.sub("", markdown)))
    return Load(words=len(WORD.findall(text)), predictions=len(PREDICTION.findall(markdown)))


def load_of_lesson(notebook: NotebookNode) -> tuple[Load, Load]:
    """Return what the core asks of a reader, and what all from the heading `## Deeper` on asks."""
    loads = {False: Load(), True: Load()}
    is_deeper = False
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            before, *after = DEEPER.split(cell.source, maxsplit=1)
            loads[is_deeper] += load_of_text(before)
            if after:
                is_deeper = True
                loads[is_deeper] += load_of_text(HEADING + after[0])
        elif cell.cell_type == "code" and "setup" not in cell_tags(cell):
            loads[is_deeper] += Load(lines=lines_of_code(cell))
    return loads[False], loads[True]


def table() -> str:
    rows = [f"{'core:':27}words  lines  predictions  minutes  | deeper: minutes  | stated"]
    for path in find_notebooks(ROOT, ("notebooks",)):
        core, deeper = load_of_lesson(read_notebook(path))
        rows.append(
            f"{path.stem:27}{core.words:5}  {core.lines:5}  {core.predictions:11}  "
            f"{core.minutes:7.0f}  | {deeper.minutes:15.0f}  | {LESSONS[path.stem[:2]].minutes:6}"
        )
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())
