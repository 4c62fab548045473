"""Exercises leave every check open, and solutions pass them; swapped, every check fails.

nbval runs the solutions. Exercises store no output to compare: they need no kernel.
"""

import os

import matplotlib
import matplotlib.pyplot as plt
import pytest

from tools.notebooks.notebook_env import kernel_environment
from tools.notebooks.notebook_files import (
    ROOT,
    find_notebooks,
    is_check_cell,
    loads_real_model,
    read_notebook,
)

TOPICS = [path.stem for path in find_notebooks(ROOT, ("solutions",))]


def notebook_path(folder, topic):
    return ROOT / folder / topic / f"{topic}.ipynb"


def check_cells(folder, topic):
    return [c for c in read_notebook(notebook_path(folder, topic)).cells if is_check_cell(c)]


@pytest.mark.parametrize("topic", TOPICS)
def test_exercise_and_solution_have_the_same_checks(topic):
    solution, exercise = check_cells("solutions", topic), check_cells("exercises", topic)
    assert solution
    asked, answered = (
        [(cell.source, cell.metadata.nbgrader.points) for cell in cells]
        for cells in (exercise, solution)
    )
    assert asked == answered


@pytest.fixture
def failed_checks(monkeypatch):
    """A function that runs a notebook's cells in this process, and returns those whose check had
    another status than it should."""

    def run(folder, topic, status):
        path = notebook_path(folder, topic)
        for name, value in kernel_environment(path.parent, ROOT).items() - os.environ.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("COURSE_EXPECT", status)
        monkeypatch.chdir(path.parent)
        names, failed = {"__name__": "__main__"}, []
        for cell in read_notebook(path).cells:
            if cell.cell_type != "code":
                continue
            try:
                exec(compile(cell.source, path.name, "exec"), names)
            except AssertionError as error:
                assert f"expected {status!r}, got" in str(error)
                failed.append(cell.source)
        return failed

    with matplotlib.rc_context():
        yield run
    plt.close("all")


NEED_THE_MODEL = {
    topic for topic in TOPICS if loads_real_model(read_notebook(notebook_path("exercises", topic)))
}


@pytest.mark.parametrize(
    "topic",
    [
        pytest.param(topic, marks=[pytest.mark.needs_real_model] * (topic in NEED_THE_MODEL))
        for topic in TOPICS
    ],
)
def test_an_exercise_leaves_every_check_open(topic, failed_checks):
    assert failed_checks("exercises", topic, "todo") == []


@pytest.mark.parametrize("folder, status", [("exercises", "pass"), ("solutions", "todo")])
def test_swapped_expectation_fails_at_every_check(folder, status, failed_checks):
    """Of the first topic: a check is the same function everywhere."""
    failed = failed_checks(folder, TOPICS[0], status)
    assert failed == [cell.source for cell in check_cells(folder, TOPICS[0])]
