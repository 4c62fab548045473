"""Turn notebooks into pages of the site, before Sphinx reads them.

A page is the notebook as it is stored, with four changes that nobody sees in JupyterLab: the set-up
cell is left out, the line of badges becomes a row of links, what follows a prediction is folded,
and each picture gets its **What to see.** paragraph as its alternative text. Cells keep their ids,
so that a link can lead to one.
"""

import copy
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from course_lib.colours import ROLES
from minutes import PREDICTION
from notebook_files import LINKS_LINE, cell_tags
from stamp_links import Project

SUMMARY = "Show what happens"
OPEN = f'<details class="what-happens"><summary>{SUMMARY}</summary>\n<div class="what-happens">'
CLOSE = "</div>\n</details>"
PLACEHOLDER = "OWNER/REPOSITORY"

HEADING = re.compile(r"^#{1,6} ")
FENCE = re.compile(r"^(```|~~~)")
WHAT_TO_SEE = re.compile(r"^\*\*What to see\.\*\* (.+?)(?:\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)
COLOURED = re.compile(r'<span style="color: ?(#[0-9a-f]{6})">')
COLOURED_FORMULA = re.compile(r"\\color\{(#[0-9a-f]{6})\}(?=\{)")
LINE_BREAK = re.compile(r"^<br>$", re.MULTILINE)  # between questions; the page has its own spaces


def chunks(source: str) -> Iterator[str]:
    """Split markdown before each heading, and before and behind each prediction."""
    lines: list[str] = []
    fenced = predicting = False
    for line in source.splitlines():
        begins = False
        if not fenced:
            begins = bool(HEADING.match(line) or PREDICTION.match(line))
            begins = begins or (predicting and not line.startswith(">"))
        if begins and lines:
            yield "\n".join(lines).strip()
            lines = []
        if begins:
            predicting = bool(PREDICTION.match(line))
        fenced ^= bool(FENCE.match(line))
        lines.append(line)
    yield "\n".join(lines).strip()


def split_cells(cells: Iterable[NotebookNode]) -> Iterator[NotebookNode]:
    """Make a cell of each chunk of markdown; the first one keeps the cell's id."""
    for cell in cells:
        if cell.cell_type != "markdown":
            yield cell
            continue
        for number, chunk in enumerate(filter(None, chunks(cell.source))):
            yield new_markdown_cell(chunk, id=cell.id if number == 0 else f"{cell.id}-{number}")


def fold_answers(cells: Iterable[NotebookNode]) -> Iterator[NotebookNode]:
    """Fold what follows a prediction: its code, and the text up to the end of its cell.

    A heading or the next prediction ends it earlier. Where no code follows, the text is folded.
    """
    waiting = False  # behind a prediction, and nothing has come yet
    is_open = saw_code = False
    number = 0

    def close() -> NotebookNode:
        return new_markdown_cell(CLOSE, id=f"fold-{number}-end")

    for cell in cells:
        is_text = cell.cell_type == "markdown"
        predicts = is_text and bool(PREDICTION.match(cell.source))
        ends = predicts or (is_text and bool(HEADING.match(cell.source)))
        if is_open and ends:
            yield close()
            is_open = False
        if waiting and not ends:
            number += 1
            yield new_markdown_cell(OPEN, id=f"fold-{number}")
            is_open, saw_code = True, False
        waiting = predicts
        yield cell
        if is_open and is_text and saw_code:
            yield close()
            is_open = False
        saw_code |= not is_text
    if is_open:
        yield close()


def plain(markdown: str) -> str:
    """Return a paragraph without its marks, as an alternative text can be read aloud."""
    text = re.sub(r"<[^>]+>", "", markdown)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\*\*|`|\$|(?<!\w)\*|\*(?!\w)", "", text)
    return " ".join(text.split())


def describe_pictures(cells: list[NotebookNode]) -> None:
    """Give each picture what the next **What to see.** says, in place."""
    said = ""
    for cell in reversed(cells):
        if cell.cell_type == "markdown":
            if found := WHAT_TO_SEE.search(cell.source):
                said = plain(found[1])
        elif any("image/png" in output.get("data", {}) for output in cell.get("outputs", [])):
            if not said:
                raise ValueError(f"no **What to see.** follows the picture of cell {cell.id}")
            cell.metadata["mystnb"] = {"image": {"alt": said}}


def name_roles(source: str) -> str:
    """Let a role's words have its class: the style sheet has their colours, light and dark."""
    roles = {colour: role for role, colour in ROLES.items()}
    source = COLOURED.sub(lambda match: f'<span class="role-{roles[match[1]]}">', source)
    return COLOURED_FORMULA.sub(lambda match: rf"\class{{role-{roles[match[1]]}}}", source)


def button(text: str, address: str, more: str = "") -> str:
    return f'<a class="course-button" href="{address}"{more}>{text}</a>'


def links_of(path: Path, project: Project) -> str:
    """Return the row of links under a page's title.

    Colab and the download are hidden as long as the course does not know its own address.
    """
    inside, topic = path.relative_to(project.root), path.stem
    is_lesson = inside.parts[0] == "notebooks"
    top = "../" * (len(inside.parts) - 1)
    links = []
    if is_lesson and project.has_exercise(topic):
        address = f"{top}exercises/{topic}/{topic}.html"
        links.append(button("Exercises of this topic", address))
    elif not is_lesson:
        links.append(button("The lesson of this topic", f"{top}notebooks/{topic}.html"))
    if PLACEHOLDER not in project.address:
        colab = project.colab_address(inside.as_posix())
        links.append(button("Open in Colab", colab))
        download = f"{top}_static/notebooks/{inside.as_posix()}"
        links.append(button("Download the notebook", download, " download"))
    return f'<p class="course-buttons">{" ".join(links)}</p>' if links else ""


def contents_below(path: Path, project: Project) -> str:
    """Return what puts a lesson's exercises under it in the sidebar, and next in order."""
    inside = path.relative_to(project.root)
    if inside.parts[0] != "notebooks" or not project.has_exercise(path.stem):
        return ""
    return (
        "\n\n```{toctree}\n:hidden:\n"
        f"Exercises {path.stem[:2]} <../exercises/{path.stem}/{path.stem}>\n```"
    )


def page_of(notebook: NotebookNode, path: Path, project: Project) -> NotebookNode:
    """Return the notebook as the site shows it.

    Args:
        notebook: with its outputs; it stays as it is.
        path: of the notebook, under the project's root.
        project: which knows the course's address.

    Raises:
        ValueError: a picture has no **What to see.**.
    """
    page = copy.deepcopy(notebook)
    cells = [cell for cell in page.cells if "setup" not in cell_tags(cell)]
    links = links_of(path, project)
    cells[0].source = LINKS_LINE.sub(lambda match: links, cells[0].source)
    describe_pictures(cells)
    for cell in cells:
        if cell.cell_type == "markdown":
            cell.source = LINE_BREAK.sub("", name_roles(cell.source))
    if path.relative_to(project.root).parts[0] == "notebooks":
        cells = list(fold_answers(split_cells(cells)))
    cells[0].source += contents_below(path, project)
    page.cells = cells
    return page
