"""How long a lesson takes, computed from what stands in it: make minutes.

Minutes = words / 110 + lines of code / 10 + 1.5 for each prediction. What stands between the
heading `## Deeper` and the next section is computed apart, and each of its pieces, which begin with
`### `, by itself. The rest is the core.

- Words: those of the markdown cells, the quiz and its answers too. The line of links in the first
  cell, addresses of links, HTML tags and comments, and signs that stand alone do not count.
- Lines of code: no comments and no empty lines. The set-up cell does not count; it is folded.
- Predictions: lines that begin with `> **Predict`.

Outputs do not count, nor does the time that cells run. `make links` writes the minutes into the
first cell of a lesson, its headings under `## Deeper`, the README and the map in lesson 00.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode

from tools.notebooks.cell_code import lines_of_code
from tools.notebooks.notebook_files import (
    LINKS_LINE,
    ROOT,
    cell_tags,
    find_notebooks,
    read_notebook,
)

MOST = 60  # minutes of a core
PREDICTION = re.compile(r"^> \*\*Predict", re.MULTILINE)
MARKUP = re.compile(r"<!--.*?-->|</?[a-zA-Z][^<>]*>", re.DOTALL)
ADDRESS = re.compile(r"(?<=\])\([^()\s]*\)")
WORD = re.compile(r"\S*\w\S*")
SECTION = re.compile(r"^(?=###? )", re.MULTILINE)  # before a heading of the second or third level
STAMP = re.compile(r" \(\d+ minutes?\)$")
FIRST_LINE = re.compile(r'^About \d+ minutes?(, and (\d+ )?more under "Deeper")?', re.MULTILINE)


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
    def exact_minutes(self) -> float:
        return self.words / 110 + self.lines / 10 + 1.5 * self.predictions

    @property
    def minutes(self) -> int:
        return max(round(self.exact_minutes), 1)


@dataclass
class LessonLoad:
    """The core of a lesson, and the pieces under `## Deeper`, by their headings."""

    core: Load = Load()
    pieces: dict[str, Load] = field(default_factory=dict)

    @property
    def deeper(self) -> Load:
        return sum(self.pieces.values(), Load())

    @property
    def time(self) -> str:
        """The minutes for a table."""
        return f"{self.core.minutes}" + (f" + {self.deeper.minutes}" if self.pieces else "")


def load_of_text(markdown: str) -> Load:
    text = ADDRESS.sub("", MARKUP.sub(" ", LINKS_LINE.sub("", markdown)))
    return Load(words=len(WORD.findall(text)), predictions=len(PREDICTION.findall(markdown)))


def heading_of(text: str) -> str:
    """Return the first line without the minutes that `make links` wrote there."""
    return STAMP.sub("", text.splitlines()[0]) if text else ""


def _piece_after(piece: str, heading: str) -> str:
    """Name the piece under `## Deeper` that begins with this heading; "" is the core."""
    if heading.startswith("## "):
        return heading if re.match(r"## Deeper\b", heading) else ""
    return heading if piece else ""


def load_of_lesson(notebook: NotebookNode) -> LessonLoad:
    load, piece = LessonLoad(), ""

    def add(more: Load) -> None:
        if piece:
            load.pieces[piece] = load.pieces.get(piece, Load()) + more
        else:
            load.core += more

    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for text in SECTION.split(cell.source):
                if SECTION.match(text):
                    piece = _piece_after(piece, heading_of(text))
                    text = text.replace(text.splitlines()[0], heading_of(text), 1)
                add(load_of_text(text))
        elif cell.cell_type == "code" and "setup" not in cell_tags(cell):
            add(Load(lines=lines_of_code(cell)))
    return load


def loads_of_lessons(root: Path) -> dict[str, LessonLoad]:
    """Return what each lesson asks of a reader, by its number."""
    paths = find_notebooks(root, ("notebooks",))
    return {path.stem[:2]: load_of_lesson(read_notebook(path)) for path in paths}


def write_minutes(notebook: NotebookNode, load: LessonLoad) -> None:
    """Write the minutes into the first cell of a lesson and the headings of its pieces.

    Raises:
        ValueError: no line of the first cell begins with `About 0 minutes`, or several do.
    """
    first, piece = notebook.cells[0], ""
    if len(FIRST_LINE.findall(first.source)) != 1:
        raise ValueError("the first cell needs one line that begins with `About 0 minutes`")
    more = f', and {load.deeper.minutes} more under "Deeper"' if load.pieces else ""
    first.source = FIRST_LINE.sub(f"About {load.core.minutes} minutes{more}", first.source)
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        texts = SECTION.split(cell.source)
        for i, text in enumerate(texts):
            if not SECTION.match(text):
                continue
            heading = heading_of(text)
            piece = _piece_after(piece, heading)
            if piece:
                own = load.deeper if heading.startswith("## ") else load.pieces[heading]
                stamp = f" ({own.minutes} minute{'s' * (own.minutes > 1)})"
                texts[i] = text.replace(text.splitlines()[0], heading + stamp, 1)
        cell.source = "".join(texts)


def table() -> str:
    rows = [f"{'core:':27}words  lines  predictions  minutes  | deeper: minutes"]
    for path in find_notebooks(ROOT, ("notebooks",)):
        load = load_of_lesson(read_notebook(path))
        core = load.core
        rows.append(
            f"{path.stem:27}{core.words:5}  {core.lines:5}  {core.predictions:11}  "
            f"{core.minutes:7}  | {load.deeper.minutes if load.pieces else 0:15}"
        )
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())
