"""Answers that are classes: what is said of one that is not written, made already, or half made."""

import linecache

import pytest
import torch
from torch import nn

import course_checks as checks
from tools.checks.exercise_sources import EXERCISES

CLASSES = [name for name, exercise in EXERCISES.items() if exercise.noun == "class"]


def test_there_are_four_classes_in_the_order_in_which_they_grow():
    assert CLASSES == ["MyHead", "MyHeads", "MyMultiHead", "MyAttention"]


class NotBegun(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        raise NotImplementedError()

    def forward(self, x):
        raise NotImplementedError()


class WithoutForward(nn.Module):
    def __init__(self, d_model, head_dim):
        super().__init__()
        self.q_proj, self.k_proj, self.v_proj = (
            nn.Linear(d_model, head_dim, bias=False) for _ in range(3)
        )

    def forward(self, x):
        raise NotImplementedError()


@pytest.mark.parametrize("stub", [NotBegun, WithoutForward])
def test_a_class_with_a_method_that_is_not_written_is_to_be_done(stub):
    assert checks.MyHead(stub, seed=0).status == "todo"


def test_a_module_in_place_of_its_class_is_refused():
    result = checks.MyHead(checks.MyHead.exercise.reference(4, 2), seed=0)
    assert result.points == 0 and "takes the class itself" in str(result)


SPLIT = """
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)
"""
CALLS = """
class MyMultiHead(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (
            nn.Linear(d_model, d_model, bias=False) for _ in range(4)
        )

    def forward(self, x):
        layers = self.q_proj, self.k_proj, self.v_proj
        query, key, value = (split_heads(layer(x), self.num_heads) for layer in layers)
        weights = (query @ key.mT / query.shape[-1] ** 0.5).softmax(dim=-1)
        return self.out_proj((weights @ value).transpose(1, 2).flatten(2)), weights
"""


@pytest.fixture
def run_cells():
    """Run the cells of a notebook as IPython does, which keeps the source of each."""

    def run(*cells):
        space = {"torch": torch, "nn": nn}
        for number, cell in enumerate(cells):
            file = f"<cell {number}>"
            linecache.cache[file] = len(cell), None, cell.splitlines(keepends=True), file
            exec(compile(cell, file, "exec"), space)
        return space

    return run


@pytest.mark.parametrize("cells", [(SPLIT + CALLS,), (SPLIT, CALLS)])
def test_a_class_may_not_call_a_function_that_stands_in_another_cell(cells, run_cells):
    result = checks.MyMultiHead(run_cells(*cells)["MyMultiHead"], seed=0)
    assert (result.status == "pass") == (len(cells) == 1)
    assert ("Your class uses split_heads" in str(result)) == (len(cells) == 2)


OTHERS = [
    ("SIZE = 0.5\n", CALLS.replace("** 0.5", "** SIZE"), "SIZE"),
    (
        "from course_lib import causal_mask\n",
        CALLS.replace(".softmax", ".masked_fill(~causal_mask(1), 0.0).softmax"),
        "causal_mask",
    ),
    ("class Base(nn.Module):\n    pass\n", CALLS.replace("(nn.Module)", "(Base)"), "Base"),
]


@pytest.mark.parametrize(("before", "cell", "name"), OTHERS, ids=[name for *_, name in OTHERS])
def test_a_class_may_use_nothing_else_of_another_cell(before, cell, name, run_cells):
    apart, together = (before, SPLIT + cell), (before + SPLIT + cell,)
    result = checks.MyMultiHead(run_cells(*apart)["MyMultiHead"], seed=0)
    assert f"Your class uses {name}, which stands elsewhere" in str(result)
    assert checks.MyMultiHead(run_cells(*together)["MyMultiHead"], seed=0).status == "pass"


@pytest.mark.parametrize("helper", ["split_heads", "in_heads"])
def test_a_file_has_no_cells_and_what_belongs_to_another_exercise_is_elsewhere(helper, tmp_path):
    path = tmp_path / "answers.py"
    path.write_text((SPLIT + CALLS).replace("split_heads", helper), encoding="utf-8")
    space = {"torch": torch, "nn": nn}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), space)
    result = checks.MyMultiHead(space["MyMultiHead"], seed=0)
    assert (result.status == "pass") == (helper == "in_heads")
    assert ("Your class uses split_heads" in str(result)) == (helper == "split_heads")


def test_torch_and_math_are_known_by_any_name(run_cells):
    cell = SPLIT + CALLS.replace(".softmax(dim=-1)", "").replace(
        "weights = (", "weights = soft("
    ).replace("** 0.5)", "** (root(0.25)), dim=-1)")
    before = "from math import sqrt as root\nfrom torch import softmax as soft\n"
    assert checks.MyMultiHead(run_cells(before, cell)["MyMultiHead"], seed=0).status == "pass"


def test_a_class_that_is_not_written_is_to_be_done_in_a_notebook_too(run_cells):
    cell = CALLS.replace("layers = self", "raise NotImplementedError()\n        layers = self")
    assert checks.MyMultiHead(run_cells(cell)["MyMultiHead"], seed=0).status == "todo"


def test_a_method_may_have_the_name_of_a_function_that_stands_in_another_cell(run_cells):
    own = SPLIT.replace("(x", "(self, x").replace("\n", "\n    ")
    space = run_cells(SPLIT, CALLS.replace("split_heads", "self.split_heads") + own)
    assert checks.MyMultiHead(space["MyMultiHead"], seed=0).status == "pass"
