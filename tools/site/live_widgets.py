"""Run lessons so that their widgets put themselves into a page, which has no Python, and their
figures are handed over, to be drawn for a phone (phone_figures.py).

All else on a page is what the notebook stores, and `make test` compares that with a run. Only these
two are not stored, for they are large. So they are kept from a run, by a digest of all that could
change them: the cells, and `course_lib`. `make test` keeps those of each lesson that passed; a
lesson whose are not there is run up to the last of them.
"""

import copy
import hashlib
import json
import re
from functools import cache
from pathlib import Path

import torch
from nbformat import NotebookNode

import course_lib.widgets
from course_lib.figures.site_pages import LIVE_PAGE, LIVE_PAGES, WHOLE_FIGURE
from tools.notebooks.notebook_files import ROOT
from tools.notebooks.refresh import run_notebook
from tools.notebooks.stored_figures import stored_png
from tools.site.break_page import IN_A_LESSON

IMPORTS_WIDGETS = re.compile(r"^\s*(from|import) course_lib\.widgets\b", re.MULTILINE)
KEPT = Path("build/site/widgets")
WIDGET_HTML = "text/html"


@cache
def digest_of_library(root: Path) -> str:
    """A digest of all files of course_lib, and of the version of torch."""
    digest = hashlib.sha256(torch.__version__.encode())
    for path in sorted((root / "course_lib").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            digest.update(path.relative_to(root).as_posix().encode())
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def shows_widgets(notebook: NotebookNode) -> bool:
    return any(
        cell.cell_type == "code" and IMPORTS_WIDGETS.search(cell.source) for cell in notebook.cells
    )


def shown_widgets(cell: NotebookNode) -> list[str]:
    """The names of the widgets that a cell stores: HTML beside a line that begins with the name."""
    data = [output.get("data", {}) for output in cell.get("outputs", [])]
    names = [kinds.get("text/plain", "").split("(")[0] for kinds in data if WIDGET_HTML in kinds]
    return [name for name in names if name in course_lib.widgets.__all__]


def shows_figures(cell: NotebookNode) -> bool:
    return any(stored_png(output) is not None for output in cell.get("outputs", []))


def is_for_the_site(notebook: NotebookNode) -> bool:
    """Whether a run of the notebook has something for the site."""
    return shows_widgets(notebook) or any(map(shows_figures, notebook.cells))


def up_to_the_last(notebook: NotebookNode) -> NotebookNode:
    """A copy without what follows the last widget or figure; the whole one where it has none."""
    shorter = copy.deepcopy(notebook)
    cells = shorter.cells
    wanted = [i for i, cell in enumerate(cells) if shown_widgets(cell) or shows_figures(cell)]
    del cells[max(wanted, default=len(cells)) + 1 :]
    return shorter


def keep(notebook: NotebookNode, file: Path) -> None:
    """Write what a notebook that was run has for the site, by the ids of its cells."""
    kept: dict[str, dict] = {LIVE_PAGE: {}, WHOLE_FIGURE: {}}
    for cell in notebook.cells:
        entries = [output.get("metadata", {}) for output in cell.get("outputs", [])]
        # IPython keeps what a formatter says under the kind of its output.
        metadata = [entry | entry.get(WIDGET_HTML, {}) for entry in entries]
        for kind, of_cells in kept.items():
            if pages := [entry[kind] for entry in metadata if kind in entry]:
                of_cells[cell.id] = pages
    file.parent.mkdir(parents=True, exist_ok=True)
    for old in file.parent.glob(f"{file.stem.rpartition('-')[0]}-*.json"):
        old.unlink()
    file.write_text(json.dumps(kept), encoding="utf-8")


def kept_file(notebook: NotebookNode, path: Path, root: Path) -> Path:
    """Where the widgets of a notebook are kept, which lies at `path`: FOLDER-NAME-DIGEST.json."""
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    text = json.dumps([digest_of_library(root), sources])
    digest = hashlib.sha256(text.encode()).hexdigest()[:20]
    name = "-".join(path.relative_to(root).with_suffix("").parts)  # exercises are named as lessons
    return root / KEPT / f"{name}-{digest}.json"


def from_a_run(notebook: NotebookNode, path: Path, root: Path = ROOT) -> dict[str, dict]:
    """Return what a notebook has for the site, by kind and by the ids of its cells.

    Args:
        notebook: as it is stored.
        path: where it lies; it runs in this folder.
        root: of the course.
    """
    if not is_for_the_site(notebook):
        return {LIVE_PAGE: {}, WHOLE_FIGURE: {}}
    file = kept_file(notebook, path, root)
    if not file.is_file():
        run = up_to_the_last(notebook)
        run_notebook(run, path.parent, root, **{LIVE_PAGES: "1"})
        keep(run, file)
    return json.loads(file.read_text(encoding="utf-8"))


def put_in(notebook: NotebookNode, widgets: dict[str, list[str]]) -> None:
    """Put live widgets into the place of their still pictures; a lab gets a button above it.

    Raises:
        ValueError: a cell stores another number of pictures than it has widgets.
    """
    for cell in notebook.cells:
        if cell.id not in widgets:
            continue
        stills = [out for out in cell.outputs if WIDGET_HTML in out.get("data", {})]
        if len(stills) != len(widgets[cell.id]):
            raise ValueError(
                f"cell {cell.id} stores {len(stills)} pictures and shows "
                f"{len(widgets[cell.id])} widgets: `make refresh`"
            )
        for output, live in zip(stills, widgets[cell.id], strict=True):
            is_lab = output.data.get("text/plain", "").startswith("ModelLab(")
            output.data = NotebookNode({WIDGET_HTML: IN_A_LESSON * is_lab + live})
