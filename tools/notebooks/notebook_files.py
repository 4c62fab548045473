"""Where the notebooks lie, and how they are read and written."""

import json
import re
from pathlib import Path

import nbformat
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parents[2]
EXECUTED_FOLDERS = ("notebooks", "solutions")
FOLDERS = (*EXECUTED_FOLDERS, "exercises")

# All the metadata that are stored.
KEPT_CELL_METADATA = {"deletable", "editable", "jupyter", "nbgrader", "tags"}
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
# In the first cell: where else the notebook can be opened. stamp_links.py writes it.
LINKS_LINE = re.compile(r"^\[(badge\]|!\[Open in Colab\]|The course\]).*$", re.MULTILINE)
# In the first cell of a lesson, from syllabus.py: where it stands on the short way.
WAY_LINE = re.compile(r"\n\n(?:On|Not on) the \[short way\].*$", re.MULTILINE)
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"  # names a model by a random id


def find_notebooks(root: Path, folders: tuple[str, ...] = FOLDERS) -> list[Path]:
    """Return the notebooks under these folders of `root`, in a fixed order."""
    return [
        path
        for folder in folders
        for path in sorted((root / folder).rglob("*.ipynb"))
        if ".ipynb_checkpoints" not in path.parts
    ]


def read_notebook(path: Path) -> NotebookNode:
    """Return a notebook of version 4 as it stands; whether it is valid, its writer has seen."""
    return nbformat.v4.reads(path.read_text(encoding="utf-8"))


def notebook_text(notebook: NotebookNode) -> str:
    """Return the notebook in one fixed JSON form, so that equal notebooks are equal files."""
    nbformat.validate(notebook)
    return fixed_json(json.loads(nbformat.v4.writes(notebook)))


def fixed_json(form: dict) -> str:
    return json.dumps(form, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def write_notebook(path: Path, notebook: NotebookNode) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(notebook_text(notebook).encode())


def strip_volatile(notebook: NotebookNode) -> None:
    """Drop what differs from run to run or from one editor to another."""
    notebook.metadata = NotebookNode(NOTEBOOK_METADATA)
    for cell in notebook.cells:
        for name in set(cell.metadata) - KEPT_CELL_METADATA:
            del cell.metadata[name]
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)


def without_outputs(notebook: NotebookNode) -> NotebookNode:
    """Drop outputs and execution counts, in place, and return the notebook."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def cell_tags(cell: NotebookNode) -> list[str]:
    return cell.metadata.get("tags", [])


def is_check_cell(cell: NotebookNode) -> bool:
    """Whether nbgrader reads points from this cell."""
    nbgrader = cell.metadata.get("nbgrader", {})
    return cell.cell_type == "code" and nbgrader.get("grade", False)


def is_solution_cell(cell: NotebookNode) -> bool:
    """Whether the student writes the code of this cell."""
    nbgrader = cell.metadata.get("nbgrader", {})
    return cell.cell_type == "code" and nbgrader.get("solution", False)


def loads_real_model(notebook: NotebookNode) -> bool:
    """Whether a cell calls for the model that is fetched."""
    return any(
        cell.cell_type == "code" and "load_smollm2(" in cell.source for cell in notebook.cells
    )
