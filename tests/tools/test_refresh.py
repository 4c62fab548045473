"""`make refresh` stores outputs and changes nothing else."""

import json

import pytest
from nbclient.exceptions import CellExecutionError
from nbformat.v4 import new_code_cell, new_notebook, new_output

from tools.notebooks import notebook_files
from tools.notebooks.refresh import refresh

SOURCES = [
    "import os, sys\n\n\nprint('é', os.environ.get('COURSE_EXPECT'))\nsys.stdout.flush()\nprint(1)",
    "import ipywidgets\nipywidgets.IntSlider()   ",
    "os.environ['OMP_NUM_THREADS'] + os.environ['PYTHONHASHSEED']",
]


@pytest.fixture
def notebook_of(tmp_path):
    """Return a function that writes a solution with these code cells and returns its path."""

    def write(sources):
        old = {"execution_count": 7, "metadata": {"execution": {"time": "now"}}}
        cells = [new_code_cell(source, **old) for source in sources]
        path = tmp_path / "solutions" / "example" / "example.ipynb"
        notebook_files.write_notebook(path, new_notebook(cells=cells, metadata={"widgets": {}}))
        return path

    return write


def test_outputs_are_stored_and_sources_kept(notebook_of, tmp_path):
    path = notebook_of(SOURCES)
    before = json.loads(path.read_bytes())["cells"]
    refresh(path, tmp_path)
    first = path.read_bytes()
    after = json.loads(first)["cells"]
    for name in ("id", "source"):
        assert [cell[name] for cell in after] == [cell[name] for cell in before]
    assert [cell["execution_count"] for cell in after] == [1, 2, 3]
    assert [cell["metadata"] for cell in after] == [{}, {}, {}]

    notebook = notebook_files.read_notebook(path)
    assert notebook.metadata == notebook_files.NOTEBOOK_METADATA
    (printed,), (slider,), (environment,) = (cell.outputs for cell in notebook.cells)
    assert printed.text == "é pass\n1\n"
    assert notebook_files.WIDGET_VIEW not in slider.data
    assert slider.data["text/plain"] == "IntSlider(value=0)"
    assert environment.data["text/plain"] == "'10'"

    refresh(path, tmp_path)
    assert path.read_bytes() == first


def test_stored_numbers_within_the_tolerance_are_kept(notebook_of, tmp_path):
    sources = ["print('loss', x := 0.52)", "x", "x", "print('loss', x)", "print('Loss', x)"]
    path = notebook_of(sources)
    stored = ["loss 0.5\n", "0.5", "0.5", "loss 0.46\n", "loss 0.5\n"]
    tags = [["within-0.05"], ["within-0.05"], [], ["within-0.05"], ["within-0.05"]]
    notebook = notebook_files.read_notebook(path)
    for cell, text, its_tags in zip(notebook.cells, stored, tags, strict=True):
        cell.metadata.tags = its_tags
        cell.outputs = [new_output("stream", name="stdout", text=text)]
        if "print" not in cell.source:
            data = {"text/plain": text}
            cell.outputs = [new_output("execute_result", data=data, execution_count=9)]
    notebook_files.write_notebook(path, notebook)
    refresh(path, tmp_path)
    outputs = [cell.outputs[0] for cell in notebook_files.read_notebook(path).cells]
    texts = [out.text if "text" in out else out.data["text/plain"] for out in outputs]
    assert texts == ["loss 0.5\n", "0.5", "0.52", "loss 0.52\n", "Loss 0.52\n"]
    assert outputs[1].execution_count == 2


@pytest.mark.parametrize("source", ["1 / 0", "%nosuch"])
def test_notebook_that_fails_is_not_written(notebook_of, tmp_path, source):
    path = notebook_of(["print(1)", source])
    before = path.read_bytes()
    with pytest.raises(CellExecutionError):
        refresh(path, tmp_path)
    assert path.read_bytes() == before
