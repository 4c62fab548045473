"""A lesson that would break on a GPU turns the rehearsal red; what would not leaves it green."""

import re

import pytest
import torch
from test_pretend_device import TWO_DEVICES

from tools.notebooks import pretend_device, rehearse
from tools.notebooks.notebook_files import ROOT, find_notebooks, read_notebook, write_notebook

needs_pretend = pytest.mark.skipif(bool(pretend_device.MISSING), reason=pretend_device.MISSING)


def test_the_torch_that_is_pinned_takes_the_device():
    """Elsewhere these tests may be skipped. Where CI runs them, they would be missed."""
    pin = re.search(r"^torch==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)[1]
    if torch.__version__.partition("+")[0] == pin:
        assert not pretend_device.MISSING


def rehearse_doctored(folder, name, old, new, until, capsys):
    """Replace a piece of code of a notebook; rehearse it up to the cell that holds ``until``.

    Returns the exit code, the number of that last cell, and what was printed.
    """
    notebook = read_notebook(ROOT / name)
    is_code = [cell.cell_type == "code" for cell in notebook.cells]
    for cell in notebook.cells:
        if cell.cell_type == "code" and old in cell.source:
            cell.source = cell.source.replace(old, new)
            break
    else:
        pytest.fail(f"{name} holds no cell with {old!r} any more: doctor another line")
    found = [i for i, cell in enumerate(notebook.cells) if is_code[i] and until in cell.source]
    assert found, f"{name} holds no cell with {until!r} any more: take another"
    del notebook.cells[found[0] + 1 :]
    path = folder / name
    write_notebook(path, notebook)
    return rehearse.main([str(path)], root=folder), found[0], capsys.readouterr().out


LESSON_00, LESSON_01 = "notebooks/00_start_here.ipynb", "notebooks/01_soft_lookup.ipynb"
SOLUTION = "solutions/01_soft_lookup/01_soft_lookup.ipynb"
ON_DEVICE = "tensors = [torch.tensor(array, device=device) for array in arrays]"
FIRST_DEVICE = "device, rng = best_device()"
# The notebook, what is replaced by what, the cell that shows it, and what is said of it there.
DOCTORED = {
    "mixed devices": (
        LESSON_01,
        ON_DEVICE,
        f"{ON_DEVICE}[:2] + [torch.tensor(arrays[2])]",
        ON_DEVICE,
        TWO_DEVICES,
    ),
    "an error that is hidden": (
        LESSON_01,
        ON_DEVICE,
        f"{ON_DEVICE}\ntry:\n    tensors[0] + torch.zeros(3, 4)\nexcept RuntimeError:\n    pass",
        ON_DEVICE,
        f"refused, though the cell went on: {TWO_DEVICES}",
    ),
    "nothing on the device": (
        LESSON_01,
        FIRST_DEVICE,
        f'{FIRST_DEVICE} and torch.device("cpu")',
        ON_DEVICE,
        r"it asks for best_device\(\), but nothing was computed there",
    ),
    "any other error": (
        LESSON_01,
        FIRST_DEVICE,
        "device, rng = 1 / 0",
        "device, rng = ",
        "ZeroDivisionError: division by zero",
    ),
    "a wrong solution": (
        SOLUTION,
        "(scores - scores.amax(dim=-1, keepdim=True)).exp()",
        "scores.exp()",
        "checks.stable_softmax(",
        "AssertionError: expected 'pass', got 'wrong'",
    ),
}


@needs_pretend
@pytest.mark.parametrize("name", DOCTORED)
def test_a_doctored_notebook_is_red(name, tmp_path, capsys):
    *doctored, message = DOCTORED[name]
    status, cell, printed = rehearse_doctored(tmp_path, *doctored, capsys)
    assert status == 1
    assert f"{doctored[0]}\n" in printed and "1 notebooks rehearsed, 1 red." in printed
    assert re.search(message, printed), printed
    where = "  it asks" if name == "nothing on the device" else f"  cell {cell}: "
    assert where in printed, printed


def test_all_lessons_are_rehearsed_and_on_a_gpu_the_solutions_too():
    lessons, solutions = (find_notebooks(ROOT, (name,)) for name in ("notebooks", "solutions"))
    assert rehearse.notebooks_for("pretend", ROOT) == lessons != []
    assert rehearse.notebooks_for("cuda", ROOT) == [*lessons, *solutions]
    few = rehearse.notebooks_for("pretend", ROOT, few=True)
    assert [path.stem[:2] for path in lessons if path not in few] == ["16", "17"]


@needs_pretend
def test_the_same_lesson_undoctored_is_green(tmp_path, capsys):
    status, _, printed = rehearse_doctored(tmp_path, LESSON_01, *[ON_DEVICE] * 3, capsys)
    assert status == 0, printed
    assert re.match(r"ok +\d+ s  notebooks/01_soft_lookup.ipynb\n", printed)


def test_a_process_that_needs_cuda_is_not_forked():
    assert rehearse.processes_for("cuda").get_start_method() == "spawn"


@needs_pretend
def test_a_lesson_is_rehearsed_in_a_process_that_was_not_forked(monkeypatch):
    monkeypatch.setattr(rehearse.sys, "platform", "darwin")
    assert rehearse.rehearse_apart(ROOT / LESSON_01, "pretend")[0]


def test_where_the_device_is_missing_it_says_so_aloud(monkeypatch, capsys):
    monkeypatch.setattr(pretend_device, "MISSING", "torch 2.6 takes no device")
    assert rehearse.main([LESSON_01]) == 0
    assert "!!!\nNOTHING WAS REHEARSED: torch 2.6 takes no device.\n!!!" in capsys.readouterr().err
