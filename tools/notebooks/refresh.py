"""Run notebooks in place and store their outputs: make refresh [NB=notebooks/NN_topic.ipynb].

Cell sources and ids stay as they are, and so do stored numbers that lie within the tolerance of
their cell's tag, and where Triton is missing what its cells show. A notebook in which a cell fails
is not written.
"""

import argparse
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from tools.notebooks.notebook_env import kernel_environment
from tools.notebooks.notebook_files import (
    EXECUTED_FOLDERS,
    ROOT,
    find_notebooks,
    read_notebook,
    strip_volatile,
    write_notebook,
)
from tools.notebooks.tolerance import keep_stored_numbers, tolerance

CELL_TIMEOUT_SECONDS = 120
NEEDS_TRITON = "triton_is_here()"


def run_notebook(notebook: NotebookNode, folder: Path, root: Path, **variables: str) -> None:
    """Execute the notebook in place, its kernel with these variables; raise where a cell fails."""
    client = NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT_SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        coalesce_streams=True,
        record_timing=False,
        store_widget_state=False,
    )
    # What a check draws is then the same each time that it is stored.
    env = kernel_environment(folder, root) | {"COURSE_SEED": "0"} | variables
    client.execute(env=env, stderr=subprocess.DEVNULL)


def refresh(path: Path, root: Path) -> None:
    notebook = read_notebook(path)
    tagged = [
        (cell, cell.outputs, most)
        for cell in notebook.cells
        if (most := tolerance(cell)) is not None
    ]
    by_triton = [(cell, cell.outputs) for cell in notebook.cells if NEEDS_TRITON in cell.source]
    run_notebook(notebook, path.parent, root)
    if find_spec("triton") is None:
        for cell, stored in by_triton:
            cell.outputs = stored
    for cell, stored, most in tagged:
        cell.outputs = keep_stored_numbers(stored, cell.outputs, most)
    strip_volatile(notebook)
    write_notebook(path, notebook)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="*", type=Path, help="all, when none is named")
    named = parser.parse_args().notebooks
    for path in named:
        if path.resolve() not in find_notebooks(ROOT, EXECUTED_FOLDERS):
            parser.error(f"{path} is no notebook in {' or '.join(EXECUTED_FOLDERS)}")
    failed = False
    for path in named or find_notebooks(ROOT, EXECUTED_FOLDERS):
        try:
            refresh(path.resolve(), ROOT)
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            print(f"{path}: NOT written, a cell fails:\n{error}", file=sys.stderr)
            failed = True
        else:
            print(f"{path}: refreshed")
    return failed


if __name__ == "__main__":
    sys.exit(main())
