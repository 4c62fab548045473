"""`pytest` on a notebook fails when it should: each test here runs it on a small notebook."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from pip_settings import pip_asks
from tools.notebooks.notebook_files import ROOT
from tools.notebooks.stored_figures import without_pictures

# A dead kernel must not use up the cell's time.
CELL_SECONDS = 600
RUN_SECONDS = 300


@pytest.fixture
def run_pytest(tmp_path):
    """Return a function that runs pytest on notebooks, under the course's own configuration.

    It takes the cells of each notebook by the notebook's folder.
    """
    for name in ("pyproject.toml", "conftest.py"):
        shutil.copy(ROOT / name, tmp_path)
    room = Path("tools", "notebooks")
    (tmp_path / room).mkdir(parents=True)
    names = ("nbval_strict", "forked_kernels", "notebook_env", "notebook_files", "stored_figures")
    for name in ("__init__", "tolerance", *names):
        shutil.copy(ROOT / room / f"{name}.py", tmp_path / room)
    shutil.copy(ROOT / "tools" / "__init__.py", tmp_path / "tools")

    def run(notebooks, *options):
        paths = [f"{folder}/example.ipynb" for folder in notebooks]
        for path, cells in zip(paths, notebooks.values(), strict=True):
            (tmp_path / path).parent.mkdir(parents=True)
            nbformat.write(new_notebook(cells=list(cells)), tmp_path / path)
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
        settings = ["-p", "no:cacheprovider", f"--nbval-cell-timeout={CELL_SECONDS}"]
        options = [*settings, "--override-ini=kernel_modules=", *options]
        return subprocess.run(
            [sys.executable, "-m", "pytest", *options, *paths],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=RUN_SECONDS,
        )

    return run


def cell(source, printed="", count=1, **metadata):
    outputs = [new_output("stream", name="stdout", text=printed)] if printed else []
    return new_code_cell(source, execution_count=count, outputs=outputs, metadata=metadata)


def good_cells():
    return [cell("x = 6"), cell("print(x * 7)", "42\n", 2)]


def failed_cells(run):
    return re.findall(r"^FAILED \w+/(\w+)/\S+::Cell (\d+)", run.stdout, re.MULTILINE)


def environment_cell(status):
    """A cell that prints a kernel's environment, with what it must print."""
    names = "OMP_NUM_THREADS PYTHONHASHSEED CUDA_VISIBLE_DEVICES TQDM_DISABLE COURSE_EXPECT"
    values = ["1", "0", "", "1", status]
    source = f"import os\nprint([os.environ.get(name) for name in {names.split()}])"
    return cell(source, f"{values}\n")


def test_good_notebooks_pass_in_the_fixed_environment(run_pytest, monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.setenv("COURSE_EXPECT", "nonsense")
    ignored = cell("print(1)", "2\n", 3, tags=["nbval-ignore-output"])
    run = run_pytest(
        {
            "notebooks": [*good_cells(), ignored, environment_cell(None)],
            "solutions/example": [environment_cell("pass")],
            "exercises/example": [
                environment_cell("todo"),
                new_code_cell("x = 1"),  # exercises hold no outputs
            ],
        }
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "7 cells run, 4 with outputs compared, 0 of them within a tolerance" in run.stdout


# What a cell stores and what it prints now: within 0.05 (0.95 - 0.90 and 1.05 - 1.00 are exact
# here), and not.
GOOD = [("loss 0.90 of 3", "loss 0.95 of 3"), ("loss 1.00 of 3", "loss 1.05 of 3")]
GOOD += [("loss -0.40", "loss -0.36"), ("loss nan, 0.5", "loss nan, 0.51")]
BAD = [("loss 0.90 of 3", f"loss {now}") for now in ("0.951 of 3", "0.849 of 3", "0.90 of 4")]
BAD += [("loss 0.40", "loss -0.40"), ("loss 0.90", "loss nan"), ("loss nan", "loss 0.90")]
BAD += [("loss 0.90", "Loss 0.90"), ("loss 0.90 0.90", "loss 0.90"), ("float64 0.9", "float32 0.9")]
BAD += [("loss 0.90 0.90", "loss 0.90 ")]
WITHIN = [(f"{a}\n", f"{b}\n", (a, b) in GOOD) for a, b in GOOD + BAD]


def test_numbers_may_differ_by_the_tolerance_of_the_tag_and_no_more(run_pytest):
    cells = [
        cell(f"print({printed!r}, end='')", stored, count, tags=["within-0.05"])
        for count, (stored, printed, _) in enumerate(WITHIN, start=1)
    ]
    run = run_pytest({"notebooks/tagged": cells, "notebooks/good": good_cells()}, "-n", "2")
    wrong = [index for index, (*_, good) in enumerate(WITHIN) if not good]
    assert failed_cells(run) == [("tagged", str(index)) for index in wrong]
    said = f"{len(WITHIN) + 2} cells run, {len(WITHIN) + 1} with outputs compared, "
    assert f"{said}{len(WITHIN)} of them within a tolerance" in run.stdout


def result(source, count, **data):
    kinds = {f"text/{kind}": text for kind, text in data.items()}
    output = new_output("execute_result", data=kinds, execution_count=count)
    return new_code_cell(source, outputs=[output], execution_count=count)


def test_tolerance_holds_for_plain_results_of_tagged_cells_alone(run_pytest):
    page = "from IPython.display import HTML\nHTML('<b>0.51</b>')"
    cells = [
        result("0.51", 1, plain="0.5"),
        result("0.51", 2, plain="0.5"),  # not tagged
        result(page, 3, plain="<IPython.core.display.HTML object>", html="<b>0.5</b>"),
        cell("print('0.51')", "0.50\n", 4, tags=["within-0"]),
        cell("print('0.51')", "0.50\n", 5, tags=["within-0.05", "within-0.1"]),
    ]
    for index in (0, 2):
        cells[index].metadata.tags = ["within-0.05"]
    run = run_pytest({"notebooks/tagged": cells})
    assert failed_cells(run) == [("tagged", str(index)) for index in (1, 2, 3, 4)]
    assert "tags must have one within-NUMBER, such as within-0.05, got ['within-0']" in run.stdout


@pytest.mark.parametrize("options", [[], ["-n", "2"]], ids=["one process", "two"])
def test_notebook_that_was_never_run_stops_the_run(run_pytest, options):
    notebooks = {"notebooks/new": [new_code_cell("print(42)")], "notebooks/good": good_cells()}
    run = run_pytest(notebooks, *options)
    assert run.returncode == 4
    said = run.stdout + run.stderr
    assert "notebooks/new/example.ipynb: cell 0 was never run" in said
    assert "make refresh NB=notebooks/new/example.ipynb" in said
    assert "good" not in said


def styled_figure(words="a map", picture="iVBORw0KGgo=", width=640):
    """The output of a figure that the course's style shows."""
    html = (
        "<style>\n.course-figure { height: auto; }\n</style>\n"
        f'<img class="course-figure" width="{width}" alt="{words}" '
        f'src="data:image/png;base64,{picture}">'
    )
    return new_output("display_data", {"text/html": html, "text/plain": "<Figure with 1 Axes>"})


def test_of_a_styled_figure_the_words_are_compared_and_not_the_picture():
    stored, same = styled_figure(), styled_figure(picture="abcd", width=9)
    assert without_pictures([stored]) == without_pictures([same])
    assert without_pictures([stored]) != without_pictures([styled_figure("another map")])
    assert stored.data["text/html"].endswith('iVBORw0KGgo=">'), "unchanged"


def test_what_would_compare_nothing_stops_the_run(run_pytest):
    figure = new_output(
        "display_data",
        data={"image/png": "iVBORw0KGgo=", "text/plain": "<Figure size 640x480 with 1 Axes>"},
    )
    styled = styled_figure()
    run = run_pytest(
        {
            "solutions/partly": [*good_cells(), new_code_cell("y = 1")],
            "solutions/silent": [cell("x = 1")],
            "solutions/ignored": [cell("print(1)", "1\n", tags=["nbval-ignore-output"])],
            "solutions/figure": [new_code_cell("draw()", execution_count=1, outputs=[figure])],
            "solutions/styled": [new_code_cell("draw()", execution_count=1, outputs=[styled])],
        }
    )
    assert run.returncode == 4
    assert "solutions/partly/example.ipynb: cell 2 was never run" in run.stderr
    for name in ("silent", "ignored", "figure", "styled"):
        message = f"solutions/{name}/example.ipynb: no cell has a text or HTML output to compare"
        assert message in run.stderr


@pytest.mark.parametrize("in_ci", [False, True], ids=["at home", "in CI"])
def test_without_a_network_the_model_is_skipped(run_pytest, monkeypatch, tmp_path, in_ci):
    """In CI it is missed."""
    monkeypatch.setenv("ATTENTION_COURSE_CACHE", str(tmp_path / "cache"))
    pip_asks(monkeypatch, INDEX_URL="http://127.0.0.1:9", RETRIES=1)  # nobody answers there
    monkeypatch.setenv("CI", "true") if in_ci else monkeypatch.delenv("CI", raising=False)
    real = [cell("load_smollm2()"), cell("print(42)", "42\n", 2)]
    run = run_pytest({"notebooks/real": real, "notebooks/good": good_cells()}, "-rs")
    assert run.returncode == in_ci, run.stdout + run.stderr
    assert "2 cells run, 1 with outputs compared" in run.stdout
    assert "The real model is not here: SmolLM2-135M-Instruct.Q4_1.gguf" in run.stdout
    assert ("2 skipped" in run.stdout) is not in_ci


def test_dead_kernels_and_failing_magics_fail_at_once(run_pytest):
    magics = ["%nosuch", "%%nosuch\n1", "%%bash\nexit 3"]
    run = run_pytest(
        {
            "notebooks/dead": [
                *good_cells(),
                cell("import os\nos._exit(0)", "", 3),
                cell("print(1)", "1\n", 4),
            ],
            # Where outputs are compared, a magic's complaint shows as one; so they are not, here.
            "notebooks/magics": [
                *good_cells(),
                *(cell(source, tags=["nbval-ignore-output"]) for source in magics),
                cell("print(x)", "6\n", 6),
            ],
            "exercises/magics": [new_code_cell("%nosuch"), new_code_cell("x = 1")],
        }
    )
    assert run.returncode == 1
    # The rest of a dead kernel's notebook fails with it; a failing cell fails alone.
    failed = [("dead", "2"), ("dead", "3"), ("magics", "2"), ("magics", "3"), ("magics", "4")]
    assert failed_cells(run) == [*failed, ("magics", "0")]
    assert "The kernel died while it ran this cell." in run.stdout
    assert "10 cells run, 3 with outputs compared" in run.stdout


def test_a_cell_that_takes_too_long_is_interrupted_and_the_next_one_runs(run_pytest):
    late = [*good_cells(), cell("import time\ntime.sleep(999)", "", 3), cell("print(x)", "6\n", 4)]
    run = run_pytest({"notebooks/late": late}, "--nbval-cell-timeout=3")
    assert (run.returncode, failed_cells(run)) == (1, [("late", "2")])
    assert "1 xpassed" in run.stdout  # nbval expects nothing good of what follows
