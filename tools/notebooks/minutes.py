"""How long a lesson takes, computed from what stands in it; `make links` writes it down.

Minutes = words / 60 + lines of code / 20 + 1 for each prediction
        + lines of output / 15 + 1/2 for each picture.

These are fitted to the minutes that readers needed for the cores of sixteen lessons (from 55 to 90,
at commit 3212395). The formula is off by 9 minutes there (root mean square), and by 10 on a lesson
that was left out of the fit: readers differ more than lessons. What stands between the heading
`## Deeper` and the next section is computed apart, and each of its pieces, which begin with `### `,
by itself. The rest is the core.

- Words: those of the markdown cells, the quiz and its answers too. The first cell's lines of links
  (to other places, and on the short way), addresses of links, HTML tags and comments, and signs
  that stand alone do not count.
- Lines of code: no comments and no empty lines. The set-up cell does not count; it is folded.
- Predictions: lines that begin with `> **Predict`.
- Outputs: lines of text, as they are stored; a figure, drawing or widget is a picture.

A core takes at most 60 minutes, or 75 where its first cell marks a place for a break. The time that
cells run does not count. The minutes stand in the first cell of a lesson, in its headings under
`## Deeper`, in the README and in the map in lesson 00.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from nbformat import NotebookNode

from tools.notebooks.cell_code import lines_of_code
from tools.notebooks.notebook_files import (
    LINKS_LINE,
    WAY_LINE,
    cell_tags,
    find_notebooks,
    read_notebook,
)

MOST, MOST_WITH_A_BREAK = 60, 75  # minutes of a core
BREAK = "a good place for a break is before "
PREDICTION = re.compile(r"^> \*\*Predict", re.MULTILINE)
MARKUP = re.compile(r"<!--.*?-->|</?[a-zA-Z][^<>]*>", re.DOTALL)
ADDRESS = re.compile(r"(?<=\])\([^()\s]*\)")
WORD = re.compile(r"\S*\w\S*")
SECTION = re.compile(r"^(?=###? )", re.MULTILINE)  # before a heading of the second or third level
STAMP = re.compile(r" \(\d+ minutes?\)$")
FIRST_LINE = re.compile(r'^About \d+ minutes?(, and (\d+ )?more under "Deeper")?', re.MULTILINE)


@dataclass(frozen=True)
class Load:
    """What a reader has to do: read words, code and outputs, predict, look at pictures."""

    words: int = 0
    lines: int = 0
    predictions: int = 0
    output_lines: int = 0
    pictures: int = 0

    def __add__(self, other: "Load") -> "Load":
        return Load(*(vars(self)[name] + more for name, more in vars(other).items()))

    @property
    def exact_minutes(self) -> float:
        text = self.words / 60 + self.lines / 20 + self.output_lines / 15
        return text + self.predictions + self.pictures / 2

    @property
    def minutes(self) -> int:
        return max(round(self.exact_minutes), 1)


@dataclass
class LessonLoad:
    """The core of a lesson, and the pieces under `## Deeper`, by their headings."""

    core: Load = Load()
    pieces: dict[str, Load] = field(default_factory=dict)
    has_break: bool = False

    @property
    def most(self) -> int:
        """How many minutes the core may take."""
        return MOST_WITH_A_BREAK if self.has_break else MOST

    @property
    def deeper(self) -> Load:
        return sum(self.pieces.values(), Load())

    @property
    def time(self) -> str:
        """The minutes for a table."""
        return f"{self.core.minutes}" + (f" + {self.deeper.minutes}" if self.pieces else "")


def load_of_text(markdown: str) -> Load:
    text = WAY_LINE.sub("", LINKS_LINE.sub("", markdown))
    text = ADDRESS.sub("", MARKUP.sub(" ", text))
    return Load(words=len(WORD.findall(text)), predictions=len(PREDICTION.findall(markdown)))


def load_of_outputs(cell: NotebookNode) -> Load:
    load = Load()
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        if any(kind not in ("text/plain", "text/markdown") for kind in data):
            load += Load(pictures=1)
        else:
            text = output.get("text") or data.get("text/markdown") or data.get("text/plain", "")
            load += Load(output_lines=len(text.splitlines()))
    return load


def heading_of(text: str) -> str:
    """Return the first line without the minutes that `make links` wrote there."""
    return STAMP.sub("", text.splitlines()[0]) if text else ""


def _piece_after(piece: str, heading: str) -> str:
    """Name the piece under `## Deeper` that begins with this heading; "" is the core."""
    if heading.startswith("## "):
        return heading if re.match(r"## Deeper\b", heading) else ""
    return heading if piece else ""


def load_of_lesson(notebook: NotebookNode) -> LessonLoad:
    load, piece = LessonLoad(has_break=BREAK in notebook.cells[0].source), ""

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
            add(Load(lines=lines_of_code(cell)) + load_of_outputs(cell))
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
                span = load.deeper if heading.startswith("## ") else load.pieces[heading]
                stamp = f" ({span.minutes} minute{'s' * (span.minutes > 1)})"
                texts[i] = text.replace(text.splitlines()[0], heading + stamp, 1)
        cell.source = "".join(texts)
