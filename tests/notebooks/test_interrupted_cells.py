"""Whoever interrupts a cell that watches or changes a model finds the model as it was."""

from contextlib import ExitStack

import pytest
import torch
from torch import nn

from course_lib import DecoderLM
from tools.notebooks.notebook_files import ROOT, read_notebook


def stop(*args, **options):
    raise KeyboardInterrupt


def run_cell(lesson, cell_id, names):
    (path,) = (ROOT / "notebooks").glob(f"{lesson}_*.ipynb")
    (source,) = (cell.source for cell in read_notebook(path).cells if cell.id == cell_id)
    exec(compile(source, f"{path.name}, cell {cell_id}", "exec"), names)
    return names


def write_in_own_attention(names, model):
    names |= {"Plain": nn.Sequential, "write": stop, "continued": {}}
    run_cell("16", "6da8a487", names)


def watch_values(names, model):
    run_cell("16", "edb1e4a5", names)["hooked"](lambda *_: None, stop)


def choose_keys(names, model):
    names["Choosing"] = lambda layer, wants, k: nn.Sequential(layer)
    run_cell("14", "choosing-loss", names)
    names["loss_of"] = stop  # in the place of the cell's own
    names["choosing_loss"](model, None, [None] * 2, 8)


def look_inside(names, model):
    model.forward = stop
    run_cell("14", "choosing-training", names)["inside"](model, None)


def cut_a_path(names, model):
    names["accuracy"] = stop
    projection = model.stack.blocks[0].attention.k_proj
    run_cell("10", "dffe689c", names)["accuracy_if"](projection, None)


def add_up_values(names, model):
    run_cell("11", "cell-13", names | {"run": stop})["passed_on"](model, None)


def silence_a_value(names, model):
    with run_cell("11", "cell-92", names)["silence"](model, (0, 1), 2):
        stop()


CASES = write_in_own_attention, watch_values, choose_keys, look_inside, cut_a_path
CASES += add_up_values, silence_a_value


@pytest.mark.parametrize("interrupted", CASES)
def test_the_model_is_as_it_was(interrupted):
    model = DecoderLM(20, 16, 2, 2, positions="none")
    before = list(model.named_modules())
    names = {"model": model, "torch": torch, "ExitStack": ExitStack, "DecoderLM": DecoderLM}
    with pytest.raises(KeyboardInterrupt):
        interrupted(names, model)
    assert list(model.named_modules()) == before
    for name, part in before:
        assert not part._forward_hooks | part._forward_pre_hooks | part._backward_hooks, name
