"""Turn notebooks into pages of the site, before Sphinx reads them.

A page is the notebook as it is stored, with changes that nobody sees in JupyterLab: a lesson opens
with its question, its minutes, a picture and the button "Begin", the set-up cell is left out, the
line of badges becomes a row of links, imports, code that only draws and what follows a prediction
are folded, each picture gets its titles and its **What to see.** paragraph as its alternative text,
what is said to those who run cells is said to those who read, and the end leads on to the
exercises. Cells keep their ids, so that a link can lead to one.
"""

import ast
import copy
import re
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from course_lib.figures.colours import ROLES
from tools.notebooks.cell_code import syntax_tree
from tools.notebooks.minutes import PREDICTION
from tools.notebooks.notebook_files import LINKS_LINE, cell_tags
from tools.notebooks.stored_figures import stored_png
from tools.site.figure_code import FOLDED, drawing_cells, picture_of
from tools.site.stamp_links import Project
from tools.site.syllabus import LESSONS, Lesson

SUMMARY = "Show what happens"
OPEN = f'<details class="what-happens"><summary>{SUMMARY}</summary>\n<div class="what-happens">'
CLOSE = "</div>\n</details>"

AGAIN = "The picture at the top of this page, with its code"
OPEN_AGAIN = f'<details class="again"><summary>{AGAIN}</summary>\n<div>'
PLACE = re.compile(r'<div id="(course-widget-\d+)">')  # where a widget comes to life
IMPORTS, MAKERS = "What this lesson imports", "The code that made the table"
OPEN_FOLD = '<details class="folded-code"><summary>{}</summary>\n<div>'
MANY = 4  # as many cells that made a table are folded where they follow one another under Deeper
CLOSE_FOLD = "</div></details>"
CELL = re.compile(r"(?<=\.ipynb)#cell-id=")  # so JupyterLab calls a cell's place
BEGIN = "begin"  # the anchor that the button leads to
BEGIN_ANCHOR = f'<div id="{BEGIN}"></div>'
MINUTES = re.compile(r"^(About \d+ minutes.*?\.) ", re.MULTILINE)
HERE = re.compile(r"\[([^]]+)\]\([^)#]*(#[^)]+)\)")  # a link to a place of the same page
QUOTED = re.compile(r'"(.*?)"')

HEADING = re.compile(r"^#{1,6} ")
WORDS = re.compile(r"[A-Za-z\"(`]|\$[^$]")  # how a paragraph begins, and no list or formula
FENCE = re.compile(r"^(```|~~~)")
WHAT_TO_SEE = re.compile(r"^\*\*What to see\.\*\* (.+?)(?:\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)
COLOURED = re.compile(r'<span style="color: ?(#[0-9a-f]{6})">')
COLOURED_FORMULA = re.compile(r"\\color\{(#[0-9a-f]{6})\}(?=\{)")
WHERE_THE_EXERCISES_ARE = re.compile(
    r"the exercises of this lesson are in `exercises/(\w+)/`", re.IGNORECASE
)
LINE_BREAK = re.compile(r"^<br>$", re.MULTILINE)  # between questions; the page has its own spaces

# What is said to those who run the cells, and what a page of the site says in its place.
ON_THE_SITE = {
    "Run a cell with Shift+Enter, or all of them with *Run → Run All Cells*.": (
        "On these pages all cells have been run, and what they print stands below them."
    ),
    "Next, the widgets. Run the cell: a small plane with an arrow comes up. Drag its tip,": (
        "Next, the widgets: a small plane with an arrow. Drag its tip,"
    ),
    (
        "\n\nColab forgets what you write: keep it with *File → Save a copy in Drive*, or download "
        "it. After a disconnect, run all cells again."
    ): "",
    (
        "In JupyterLab, run the cell once; in Colab, run the set-up cell at the top first. In VS "
        'Code, put `"jupyter.widgetScriptSources": ["jsdelivr.com", "unpkg.com"]` into the '
        "settings and open the notebook again. Where that is not allowed, write "
        "`widget.to_html()` to a file and open it in a browser. All else"
    ): "All else",
    " (The links work in JupyterLab. In Colab, use the badges on the course's front page.)": "",
    "Write each **prediction** down before you run its cell.": (
        "Write each **prediction** down before you look at what happens."
    ),
    "Run the cell, then drag the query,": "Drag the query,",
}


def for_readers(source: str) -> str:
    """Say to those who read a page what the notebook says to those who run it."""
    for sentence, instead in ON_THE_SITE.items():
        source = source.replace(sentence, instead)
    return WHERE_THE_EXERCISES_ARE.sub(
        lambda match: (
            f"the [exercises of this lesson](../exercises/{match[1]}/{match[1]}.ipynb) "
            "stand on the next page"
        ),
        source,
    )


def chunks(source: str) -> Iterator[str]:
    """Split markdown before each heading, before and behind each prediction, and before the last
    paragraph of what stands between them, which often leads to what comes next."""
    lines: list[str] = []
    fenced = predicting = False
    for line in source.splitlines():
        begins = False
        if not fenced:
            begins = bool(HEADING.match(line) or PREDICTION.match(line))
            begins = begins or (predicting and not line.startswith(">"))
        if begins and lines:
            yield from last_apart("\n".join(lines).strip())
            lines = []
        if begins:
            predicting = bool(PREDICTION.match(line))
        fenced ^= bool(FENCE.match(line))
        lines.append(line)
    yield from last_apart("\n".join(lines).strip())


def last_apart(text: str) -> tuple[str, ...]:
    """Split text before its last paragraph, where that is one of words and not the only one."""
    before, _, last = text.rpartition("\n\n")
    is_alone = HEADING.match(before) and "\n" not in before
    if not before or is_alone or not WORDS.match(last) or before.count("```") % 2:
        return (text,)
    return before, last


def split_cells(cells: Iterable[NotebookNode]) -> Iterator[NotebookNode]:
    """Make a cell of each chunk of markdown; the first one keeps the cell's id."""
    for cell in cells:
        if cell.cell_type != "markdown":
            yield cell
            continue
        for number, chunk in enumerate(filter(None, chunks(cell.source))):
            yield new_markdown_cell(chunk, id=cell.id if number == 0 else f"{cell.id}-{number}")


def fold_answers(cells: list[NotebookNode]) -> Iterator[NotebookNode]:
    """Fold what follows a prediction: its code, and the text behind that.

    A heading or the next prediction ends it. The last paragraph of the text stays out, unless
    nothing follows it in its section: it leads on, and must be read by those who do not look.
    """
    waiting = False  # behind a prediction, and nothing has come yet
    is_open = saw_code = False
    number = 0

    def is_text(cell: NotebookNode) -> bool:
        return cell.cell_type == "markdown"

    def ends(cell: NotebookNode) -> bool:
        return is_text(cell) and bool(re.match(r"#{1,6} |> \*\*Predict", cell.source))

    for i, cell in enumerate(cells):
        if is_open and ends(cell):
            yield new_markdown_cell(CLOSE, id=f"fold-{number}-end")
            is_open = False
        if waiting and not ends(cell):
            number += 1
            yield new_markdown_cell(OPEN, id=f"fold-{number}")
            is_open, saw_code = True, False
        waiting = bool(is_text(cell) and PREDICTION.match(cell.source))
        yield cell
        following = cells[i + 1 : i + 3]
        closes_section = len(following) < 2 or HEADING.match(following[1].source)
        goes_on = following and is_text(following[0]) and closes_section
        if is_open and is_text(cell) and saw_code and not goes_on:
            yield new_markdown_cell(CLOSE, id=f"fold-{number}-end")
            is_open = False
        saw_code |= not is_text(cell)
    if is_open:
        yield new_markdown_cell(CLOSE, id=f"fold-{number}-end")


def plain(markdown: str) -> str:
    """Return a paragraph without its marks, as an alternative text can be read aloud."""
    text = re.sub(r"<[^>]+>", "", markdown)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\*\*|`|\$|(?<!\w)\*|\*(?!\w)", "", text)
    return " ".join(text.split())


def describe_pictures(cells: list[NotebookNode]) -> None:
    """Give each picture its titles and what the next **What to see.** says, in place."""
    alternative = ""
    for cell in reversed(cells):
        if cell.cell_type == "markdown":
            if explained := WHAT_TO_SEE.search(cell.source):
                alternative = plain(explained[1])
            continue
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            is_styled = stored_png(output) is not None
            if not alternative and (is_styled or "image/png" in data):
                raise ValueError(f"no **What to see.** follows the picture of cell {cell.id}")
            if is_styled:
                before, _, rest = data["text/html"].partition('alt="')
                titles, _, after = rest.partition('"')
                heading = titles.removeprefix("Figure").removeprefix(": ")
                words = ". ".join(filter(None, [heading, escape(alternative, quote=True)]))
                data["text/html"] = f'{before}alt="{words}"{after}'
            elif "image/png" in data:
                cell.metadata["mystnb"] = {"image": {"alt": alternative}}


def name_roles(source: str) -> str:
    """Let a role's words have its class: the style sheet has their colours, light and dark."""
    roles = {colour: role for role, colour in ROLES.items()}
    source = COLOURED.sub(lambda match: f'<span class="role-{roles[match[1]]}">', source)
    return COLOURED_FORMULA.sub(lambda match: rf"\class{{role-{roles[match[1]]}}}", source)


def button(text: str, address: str, more: str = "") -> str:
    return f'<a class="course-button" href="{address}"{more}>{text}</a>'


def is_imports(cell: NotebookNode) -> bool:
    """Whether a cell does little but import, and shows nothing."""
    if cell.cell_type != "code" or cell.get("outputs"):
        return False
    statements = syntax_tree(cell).body
    imports = sum(isinstance(line, ast.Import | ast.ImportFrom) for line in statements)
    return 2 * imports > len(statements)


def summary_of(cell: NotebookNode) -> str:
    """What a cell's fold would say: nothing, where none is wanted."""
    if is_imports(cell):
        return IMPORTS
    return MAKERS if any(tag.startswith("recorded-") for tag in cell_tags(cell)) else ""


def fold_code(cells: list[NotebookNode]) -> Iterator[NotebookNode]:
    """Fold cells that import, and long runs of those that made a table; neighbours together."""
    is_deeper = False
    for summary, run in groupby(cells, summary_of):
        together = list(run)
        is_deeper |= any(cell.source.startswith("## Deeper") for cell in together)
        if not summary or (summary == MAKERS and not (is_deeper and len(together) >= MANY)):
            yield from together
            continue
        yield new_markdown_cell(OPEN_FOLD.format(summary), id=f"{together[0].id}-code")
        yield from together
        yield new_markdown_cell(CLOSE_FOLD, id=f"{together[0].id}-code-end")


def opening_picture(cells: Iterable[NotebookNode]) -> str:
    """Return the picture that a lesson opens with: a drawing before a figure, of those that no
    prediction hides; where all are hidden, the first drawing."""
    pictures: list[tuple[bool, bool, int, str]] = []
    hidden = False
    for cell in cells:
        hidden = cell.source == OPEN or (hidden and cell.source != CLOSE)
        if picture := picture_of(cell):
            pictures.append((hidden, picture[1] == "figure", len(pictures), picture[0]))
    return min(pictures)[-1] if pictures else ""


def fold_again(cells: list[NotebookNode], picture: str) -> str:
    """Fold a cell whose picture the page opens with, if no other picture stands between, in place.

    What a prediction hides is folded already.

    Returns:
        The picture, that of a live drawing in the place where it comes to life: its cell keeps the
        picture alone.
    """
    hidden = False
    for i, cell in enumerate(cells):
        hidden = cell.source == OPEN or (hidden and cell.source != CLOSE)
        if shown := picture_of(cell):
            if shown[0] != picture or hidden:
                break
            cell.metadata["tags"] = []
            cells.insert(i + 1, new_markdown_cell(CLOSE_FOLD, id=f"{cell.id}-again-end"))
            cells.insert(i, new_markdown_cell(OPEN_AGAIN, id=f"{cell.id}-again"))
            for output in cell.outputs:
                if place := PLACE.search(output.get("data", {}).get("text/html", "")):
                    output.data["text/html"] = place.string.replace(place[0], "<div>")
                    return f'<div class="live" id="{place[1]}">{picture}</div>'
            break
    return picture


def with_opening(cells: list[NotebookNode], lesson: Lesson) -> None:
    """Put a lesson's first screen under its title, and the place where it begins, in place."""
    title, _, rest = cells[0].source.partition("\n")
    minutes = MINUTES.search(rest)
    if not minutes:
        raise ValueError(f"{lesson.name}: the first cell does not say how many minutes it takes")
    when = HERE.sub(r'<a href="\2">\1</a>', QUOTED.sub(r"“\1”", minutes[1]))
    picture = fold_again(cells, opening_picture(cells))
    screen = (
        f'<div class="opening"><p class="question">{escape(lesson.question)}</p>'
        f'<p class="minutes">{when}</p>'
        f'<p class="course-buttons">{button("Begin", f"#{BEGIN}")}</p>'
        f'<p class="to-see">{escape(lesson.opening, quote=False)}</p>{picture}</div>'
    )
    cells[0].source = f"{title}\n\n{screen}\n{MINUTES.sub('', rest)}"
    first = next(i for i, cell in enumerate(cells) if cell.source.startswith("## "))
    cells.insert(first, new_markdown_cell(BEGIN_ANCHOR, id=f"{BEGIN}-here"))


def links_of(path: Path, project: Project) -> str:
    """Return the row of links under a page's title.

    Colab and the download are hidden as long as the course does not know its own address; Colab
    also where the course is not on GitHub.
    """
    inside, topic = path.relative_to(project.root), path.stem
    is_lesson = inside.parts[0] == "notebooks"
    top = "../" * (len(inside.parts) - 1)
    links = []
    if not is_lesson:
        links.append(button("The lesson of this topic", f"{top}notebooks/{topic}.html"))
    if project.opens_in_colab:
        links.append(button("Open in Colab", project.colab_address(inside.as_posix())))
    if project.is_published:
        download = f"{top}_static/notebooks/{inside.as_posix()}"
        links.append(button("Download the notebook", download, " download"))
    row = f'<p class="course-buttons">{" ".join(links)}</p>' if links else ""
    if not is_lesson:
        how = f'<a href="{top}docs/install.html">open the course on your computer</a>'
        row += f"\n\n<p>To write answers and have them checked, {how}.</p>"
    return row


def what_comes_next(path: Path, project: Project) -> str:
    """Return the row of links at the end of a page: the exercises, and the next lesson."""
    inside, topic = path.relative_to(project.root), path.stem
    top = "../" * (len(inside.parts) - 1)
    links = []
    if inside.parts[0] == "notebooks" and project.has_exercise(topic):
        address = f"{top}exercises/{topic}/{topic}.html"
        links.append(button("Exercises of this lesson", address))
    if following := LESSONS.get(f"{int(topic[:2]) + 1:02}"):
        name = f"Lesson {following.number}: {following.title}"
        links.append(button(name, f"{top}notebooks/{following.name}.html"))
    links.append(button("All lessons", f"{top}index.html"))
    return f'<p class="course-buttons">{" ".join(links)}</p>'


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
            source = CELL.sub("#", name_roles(for_readers(cell.source)))
            cell.source = LINE_BREAK.sub("", source)
    if path.relative_to(project.root).parts[0] == "notebooks":
        only_draw = drawing_cells(page.cells)
        for cell in (cell for cell in cells if cell.id in only_draw):
            cell.metadata["tags"] = [FOLDED]
        cells = list(fold_code(list(fold_answers(list(split_cells(cells))))))
        with_opening(cells, LESSONS[path.stem[:2]])
    cells[0].source += contents_below(path, project)
    page.cells = [*cells, new_markdown_cell(what_comes_next(path, project), id="what-comes-next")]
    return page
