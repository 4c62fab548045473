"""Run lessons so that their widgets put themselves into a page, which has no Python.

All else on a page is what the notebook stores, and `make test` compares that with a run. Only the
widgets are not stored, for they are large. So they are kept from a run, by a digest of all that
could change them: the cells, and `course_lib`. `make test` keeps those of each lesson that passed;
a lesson whose widgets are not there is run up to the last of them.
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
from course_lib.widgets.course_widget import LIVE_PAGE, LIVE_PAGES
from tools.notebooks.notebook_files import ROOT
from tools.notebooks.refresh import run_notebook

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


def up_to_its_last_widget(notebook: NotebookNode) -> NotebookNode:
    """A copy without what follows the last widget; the whole one where it stores none."""
    shorter = copy.deepcopy(notebook)
    cells = shorter.cells
    last = max((i for i, cell in enumerate(cells) if shown_widgets(cell)), default=len(cells))
    del cells[last + 1 :]
    return shorter


def keep(notebook: NotebookNode, file: Path) -> None:
    """Write the live widgets of a notebook that was run, by the ids of their cells."""
    widgets = {}
    for cell in notebook.cells:
        metadata = [output.get("metadata", {}) for output in cell.get("outputs", [])]
        if live := [entry[LIVE_PAGE] for entry in metadata if LIVE_PAGE in entry]:
            widgets[cell.id] = live
    file.parent.mkdir(parents=True, exist_ok=True)
    for old in file.parent.glob(f"{file.stem.rpartition('-')[0]}-*.json"):
        old.unlink()
    file.write_text(json.dumps(widgets), encoding="utf-8")


def kept_file(notebook: NotebookNode, path: Path, root: Path) -> Path:
    """Where the widgets of a notebook are kept, which lies at `path`: NAME-DIGEST.json."""
    sources = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    text = json.dumps([digest_of_library(root), sources])
    digest = hashlib.sha256(text.encode()).hexdigest()[:20]
    return root / KEPT / f"{path.stem}-{digest}.json"


def live_widgets(notebook: NotebookNode, path: Path, root: Path = ROOT) -> dict[str, list[str]]:
    """Return the widgets of a notebook by the ids of their cells, from a run or from the kept.

    Args:
        notebook: as it is stored.
        path: where it lies; it runs in this folder.
        root: of the course.
    """
    if not shows_widgets(notebook):
        return {}
    file = kept_file(notebook, path, root)
    if not file.is_file():
        run = up_to_its_last_widget(notebook)
        run_notebook(run, path.parent, root, **{LIVE_PAGES: "1"})
        keep(run, file)
    return json.loads(file.read_text(encoding="utf-8"))


def put_in(notebook: NotebookNode, widgets: dict[str, list[str]]) -> None:
    """Put live widgets into the place of their still pictures.

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
            output.data = NotebookNode({WIDGET_HTML: live})
