"""Where Triton is missing, one sentence says what to do, and nothing fails."""

import subprocess
import sys

import pytest

from tools.notebooks.notebook_files import ROOT, read_notebook

CELLS = {
    "notebooks/12_fast_attention.ipynb": ("kernel-causal-mean", "kernel-run", "kernel-ragged-run"),
    "solutions/12_fast_attention/12_fast_attention.ipynb": ("by-kernel",),
    "exercises/12_fast_attention/12_fast_attention.ipynb": ("by-kernel",),
}
IMPORTS = """
import torch
import course_checks as checks
from course_lib.attention.kernels import attend_with, run_kernel, tl, triton_is_here
device = torch.device("cpu")
"""
LIBRARY = """
try:
    checks.attend_by_kernel
except AttributeError as error:
    print(error)
print("attend_by_kernel" in checks.ALL, len(checks.ALL) > 50)
try:
    run_kernel(print, (1,))
except ImportError as error:
    print(error)
from tools.checks.shipped_answers import FOLDER, read_answers, read_file
print(read_file(FOLDER / "fast_attention" / "attend_by_kernel_answers.py"))
names = {answer.exercise for answer in read_answers()}
print("attend_by_kernel" in names, "attend_in_tiles" in names)
"""


def cells_of(path, prefix):
    cells = [cell for cell in read_notebook(ROOT / path).cells if cell.cell_type == "code"]
    return [cell.source for cell in cells if cell.id.startswith(prefix)]


@pytest.fixture(scope="module")
def printed():
    """What each of the programs prints, in one process in which no Triton can be imported."""
    programs = {path: "\n".join(cells_of(path, prefix)) for path, prefix in CELLS.items()}
    programs |= {"library": LIBRARY}
    code = "import sys; sys.modules['triton'] = None\n"
    code += f"for program in {list(programs.values())!r}:\n"
    code += f"    exec({IMPORTS!r} + program, {{}})\n    print('---')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return dict(zip(programs, done.stdout.split("---\n"), strict=False))


@pytest.mark.parametrize("path", CELLS)
def test_cells_say_what_to_do(path, printed):
    assert len(cells_of(path, CELLS[path])) == 3
    first, second = printed[path].splitlines()
    assert first == second and "`pip install triton`" in first and "Colab" in first


def test_a_check_a_kernel_and_a_reader_of_answers_say_it_too(printed):
    check, known, kernel, file, read = printed["library"].splitlines()
    assert check.startswith("The check attend_by_kernel is not here. ") and "pip install" in check
    assert kernel.startswith("This needs Triton, which is not here: ")
    assert (known, file, read) == ("False True", "[]", "False True")
