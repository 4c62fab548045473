"""Where Triton is missing, one sentence says what to do, and nothing fails."""

import subprocess
import sys

import pytest

from tools.notebooks.notebook_files import ROOT, read_notebook

WITHOUT_TRITON = "import sys; sys.modules['triton'] = None\n"  # an import of it raises


def run_without_triton(code):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TRITON + code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def cells_of(path, prefix):
    cells = [cell for cell in read_notebook(ROOT / path).cells if cell.cell_type == "code"]
    return [cell.source for cell in cells if cell.id.startswith(prefix)]


@pytest.mark.parametrize(
    "path, prefix, imports, times",
    [
        (
            "notebooks/12_fast_attention.ipynb",
            ("kernel-causal-mean", "kernel-run", "kernel-ragged-run"),
            "import torch\ndevice = torch.device('cpu')",
            2,
        ),
        *(
            (
                f"{folder}/12_fast_attention/12_fast_attention.ipynb",
                "by-kernel",
                "import torch\nimport course_checks as checks\n"
                "from course_lib.attention.kernels import attend_with, tl, triton_is_here",
                2,
            )
            for folder in ("solutions", "exercises")
        ),
    ],
)
def test_cells_say_what_to_do(path, prefix, imports, times):
    cells = cells_of(path, prefix)
    assert len(cells) == 3
    said = run_without_triton("\n".join([imports, *cells])).splitlines()
    assert len(said) == times and len(set(said)) == 1
    assert "`pip install triton`" in said[0] and "Colab" in said[0]


def test_a_check_that_is_not_here_says_why():
    said = run_without_triton(
        "import course_checks as checks\n"
        "try: checks.attend_by_kernel\n"
        "except AttributeError as error: print(error)\n"
        "print('attend_by_kernel' in checks.ALL, len(checks.ALL) > 50)"
    )
    first, last = said.splitlines()
    assert first.startswith("The check attend_by_kernel is not here. ") and "pip install" in first
    assert last == "False True"


def test_a_kernel_that_is_run_says_it_too():
    said = run_without_triton(
        "from course_lib.attention.kernels import run_kernel\n"
        "try: run_kernel(print, (1,))\n"
        "except ImportError as error: print(error)"
    )
    assert said.startswith("This needs Triton, which is not here: ")


def test_whoever_reads_all_answers_reads_those_whose_package_is_here():
    said = run_without_triton(
        "from tools.checks.shipped_answers import FOLDER, read_answers, read_file\n"
        "print(read_file(FOLDER / 'fast_attention' / 'attend_by_kernel_answers.py'))\n"
        "names = {answer.exercise for answer in read_answers()}\n"
        "print('attend_by_kernel' in names, 'attend_in_tiles' in names)"
    )
    assert said.splitlines() == ["[]", "False True"]
