"""A Sphinx extension: the reference of the library, docs/reference/, made of the docstrings.

Sphinx's autodoc, napoleon and autosummary make the pages. This module adds to a docstring in which
lesson students build the name, or which lesson uses it first; it shows which of its lines are code;
and it lists the names of all pages on the first one.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache

from nbformat import NotebookNode

from tools.notebooks.notebook_files import ROOT, read_notebook
from tools.site.claims import heading_of
from tools.site.syllabus import LESSONS

FOLDER = ROOT / "docs" / "reference"
ENTRY = re.compile(r"^\.\. auto(?:class|function):: (course_\S+)$", re.MULTILINE)
SECTION = re.compile(r"^(Args|Returns|Raises|Yields|Attributes):$")


@cache
def read_table() -> dict:
    return tomllib.loads((ROOT / "docs" / "reference.toml").read_text(encoding="utf-8"))


def pages() -> dict[str, str]:
    """Return the text of each page by its name, in the order of the first page."""
    files = re.search(r":hidden:\n\n(.*?)\n```", (FOLDER / "index.md").read_text("utf-8"), re.S)
    assert files, "docs/reference/index.md must have a toctree"
    return {name: (FOLDER / f"{name}.md").read_text("utf-8") for name in files[1].split()}


@cache
def all_entries() -> list[str]:
    """Return the names that have an entry, such as course_lib.causal_mask."""
    return [name for text in pages().values() for name in ENTRY.findall(text)]


@cache
def notebook_of(lesson: str) -> NotebookNode:
    return read_notebook(ROOT / "notebooks" / f"{LESSONS[lesson].name}.ipynb")


def imports(notebook: NotebookNode, name: str) -> bool:
    """Whether a notebook takes this name from the library, and not one of its own."""
    module, _, last = name.rpartition(".")
    taken = re.compile(
        rf"from {module.partition('.')[0]}[\w.]* import (?:\([^)]*|[^\n(]*)\b{last}\b"
        rf"|\b{module.rpartition('.')[2]}\.{last}\b"
    )
    return any(cell.cell_type == "code" and taken.search(cell.source) for cell in notebook.cells)


def first_use(name: str) -> tuple[str, str] | None:
    """Return lesson and cell that use a name first, imports aside; None if no lesson does."""
    last = name.rpartition(".")[2]
    called, defined = re.compile(rf"(?<!\w){last}\("), re.compile(rf"(?:def|class) {last}\(")
    for number in LESSONS:
        if imports(notebook_of(number), name):
            for cell in notebook_of(number).cells:
                if cell.cell_type == "code" and called.search(defined.sub("", cell.source)):
                    return number, cell.id
    return None


def lesson_of(name: str) -> str:
    """Return the sentence that says which lesson a name belongs to, as reStructuredText."""
    built = read_table()["built"].get(name.removeprefix("course_lib."))
    place = tuple(built.split("#")) if built else first_use(name)
    if place is None:
        return ""
    lesson, cell = place
    title = f"{lesson}: {heading_of(notebook_of(lesson), cell)}".replace("`", "")
    address = f"../../notebooks/{LESSONS[lesson].name}.html#{cell}"
    return f"{'You build it in' if built else 'First used in'} `{title} <{address}>`__."


def complete(app, what, name, obj, options, lines: list[str]) -> None:
    """Mark what is code in a docstring; behind its first paragraph, say which lesson it is of."""
    lines[:] = list(_with_code_marked(lines))
    if name in all_entries() and (sentence := lesson_of(name)):
        end = lines.index("") if "" in lines else len(lines)
        lines[end:end] = ["", sentence, ""]


def _with_code_marked(lines: list[str]) -> Iterator[str]:
    in_section = in_code = False
    before = ""
    for line in lines:
        if line.strip() and not line.startswith(" "):
            in_section, in_code = bool(SECTION.match(line)), False
        starts = line.startswith("    ") and not before.strip()
        if starts and not in_section and not in_code:
            in_code = True
            yield from ("::", "")
        yield line
        before = line


def is_skipped(app, what, name, obj, skip, options) -> bool | None:
    """Leave out what a class has from elsewhere, such as the fields of a NamedTuple."""
    module = getattr(getattr(obj, "fget", obj), "__module__", None) or ""
    return None if module.startswith("course_") else True


def list_all(app, docname: str, content: list[str]) -> None:
    """Write below the first page what the others are about, and all their names."""
    if docname != "docs/reference/index":
        return
    for name, text in pages().items():
        title, about = text.split("\n\n")[:2]
        names = "\n   ".join(f"~{entry}" for entry in ENTRY.findall(text))
        content[0] += f"\n## [{title.removeprefix('# ')}]({name}.md)\n\n{about}\n\n"
        content[0] += f"```{{eval-rst}}\n.. autosummary::\n   :nosignatures:\n\n   {names}\n```\n"


def setup(app) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", complete, priority=400)  # napoleon has 500
    app.connect("autodoc-skip-member", is_skipped)
    app.connect("source-read", list_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
