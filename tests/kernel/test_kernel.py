"""The kernel of lesson 12, its exercise and its check, with Triton: make test-kernel."""

import linecache
import re

import pytest
import torch
import torch.nn.functional as F

import course_checks as checks
from course_checks.judge.engine import Judge
from course_lib.attention.kernels import IS_INTERPRETED, attend_with, run_kernel, tl
from tools.checks.shipped_answers import answers_to, faults, verdicts_on
from tools.notebooks.notebook_files import ROOT, read_notebook
from tools.notebooks.refresh import NEEDS_TRITON

NAME = "attend_by_kernel"
LESSON = "12_fast_attention"
CHECK = checks.ALL[NAME]


@pytest.fixture(scope="module")
def judge():
    return Judge(CHECK.exercise, 0)


def test_triton_interprets():
    assert IS_INTERPRETED


@pytest.mark.parametrize(
    "queries, keys, heads, value_dim, dtype, is_causal",
    [
        (16, 16, 1, 16, torch.float32, False),
        (37, 37, 2, 64, torch.float32, True),
        (5, 1, 1, 16, torch.float32, False),
        (20, 20, 1, 16, torch.float16, False),
        (20, 20, 1, 16, torch.float16, True),
    ],
)
def test_the_reference_is_attention(queries, keys, heads, value_dim, dtype, is_causal):
    generator = torch.Generator().manual_seed(0)
    sizes = ((queries, 16), (keys, 16), (keys, value_dim))
    inputs = [torch.randn(heads, *size, generator=generator).to(dtype) for size in sizes]
    inputs[0] = inputs[0].transpose(0, 1).contiguous().transpose(0, 1)  # other strides
    right = F.scaled_dot_product_attention(*(t.float() for t in inputs), is_causal=is_causal)
    found = CHECK.exercise.reference(*inputs, is_causal)
    assert found.dtype == torch.float32 and found.shape == right.shape
    assert (found - right).abs().max() < (1e-5 if dtype == torch.float32 else 2e-3)


@pytest.mark.parametrize(
    "mistake, version",
    [(mistake, n) for mistake in CHECK.exercise.mistakes for n in range(len(mistake.functions))],
    ids=lambda part: getattr(part, "name", part),
)
def test_every_mistake_is_named(mistake, version, judge):
    result = judge(mistake.functions[version])
    assert result.diagnosis == mistake.name
    assert result.points < result.max_points
    assert mistake.sentence in result.message


@pytest.mark.parametrize("answer", answers_to(NAME), ids=lambda answer: answer.name)
def test_answers_are_judged_as_they_say(answer, judge):
    verdicts = verdicts_on(answer, [judge])
    assert not {kind: found for kind, found in faults(answer, verdicts).items() if found}


def run_cells(cells, capsys):
    """The printed text of each cell, all run in one namespace, and what they display."""
    printed, shown = {}, []
    names = {"__name__": "notebook", "display": shown.append}
    for cell in cells:
        capsys.readouterr()
        exec(compile_as_notebook(cell), names)
        printed[cell.id] = capsys.readouterr().out
    return printed, shown


def compile_as_notebook(cell):
    """As IPython does: inspect.getsource, which Triton asks, finds the cell's lines."""
    file = f"<{cell.id}>"
    linecache.cache[file] = len(cell.source), None, cell.source.splitlines(keepends=True), file
    return compile(cell.source, file, "exec")


def code_cells(path):
    return [cell for cell in read_notebook(path).cells if cell.cell_type == "code"]


def stored(cell):
    return "".join(output.get("text", "") for output in cell.outputs)


def test_the_piece_of_the_lesson_shows_what_is_stored(capsys):
    first, *others = code_cells(ROOT / "notebooks" / f"{LESSON}.ipynb")[1:]  # behind the set-up
    needed = [
        first,
        *(c for c in others if c.id.startswith("kernel-") and "limits" not in c.source),
    ]
    printed, _ = run_cells(needed, capsys)
    shown = [c for c in needed if NEEDS_TRITON in c.source]
    assert len(shown) == 2
    for cell in shown:
        assert printed[cell.id] == stored(cell) != ""


@pytest.mark.parametrize("folder, status", [("solutions", "pass"), ("exercises", "todo")])
def test_the_exercise_is_solved_and_open(folder, status, capsys, monkeypatch):
    monkeypatch.setenv("COURSE_EXPECT", status)
    monkeypatch.setenv("COURSE_SEED", "0")
    code = code_cells(ROOT / folder / LESSON / f"{LESSON}.ipynb")
    needed = [c for c in code if c.id.startswith("by-kernel") or "import course_checks" in c.source]
    printed, shown = run_cells(needed, capsys)
    (result,) = shown
    assert result.status == status
    if status == "pass":
        last = next(c for c in needed if c.id == "by-kernel-run")
        assert printed[last.id] == stored(last) != ""


def test_the_kernel_of_the_solution_has_at_most_40_lines():
    cells = read_notebook(ROOT / "solutions" / LESSON / f"{LESSON}.ipynb").cells
    source = next(c.source for c in cells if c.id == "by-kernel-answer")
    kernel = source.partition("\n\n\ndef attend_by_kernel")[0]
    assert len([line for line in kernel.splitlines() if "### " not in line]) <= 40


def writes_too_far(
    query, key, value, output, qh, qr, kh, kr, vh, vr, oh, out_row, n, m, scale,
    IS_CAUSAL: tl.constexpr, HEAD_DIM: tl.constexpr, VALUE_DIM: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    rows = tl.arange(0, BLOCK)[:, None]
    tl.store(output + rows * out_row + tl.arange(0, VALUE_DIM)[None, :], rows * 0.0)


def test_who_writes_behind_the_end_is_told():
    with pytest.raises(IndexError, match="tl.store needs a mask"):
        attend_with(writes_too_far, *(torch.randn(1, 5, 16) for _ in range(3)))


def test_shapes_that_do_not_fit_are_named():
    query, key, value = torch.randn(2, 5, 16), torch.randn(2, 7, 8), torch.randn(2, 7, 16)
    with pytest.raises(ValueError, match=re.escape("key must have the shape (2, 7, 16), got")):
        attend_with(writes_too_far, query, key, value)


def raises_in_its_third_line(address, BLOCK: tl.constexpr):
    rows = tl.arange(0, BLOCK)
    rows[0]


def test_an_error_in_a_kernel_is_the_kernels_own():
    with pytest.raises(Exception) as raised:
        run_kernel(raises_in_its_third_line, (1,), torch.zeros(4), BLOCK=4)
    assert "InterpreterError" not in repr(raised.value)
