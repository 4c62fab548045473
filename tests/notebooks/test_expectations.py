"""Solutions pass every check and exercises leave every check open; swapped, every check fails."""

import pytest

from tools.notebooks.notebook_env import kernel_environment
from tools.notebooks.notebook_files import (
    ROOT,
    find_notebooks,
    is_check_cell,
    read_notebook,
)

TOPICS = [path.stem for path in find_notebooks(ROOT, ("solutions",))]


def notebook_path(folder, topic):
    return ROOT / folder / topic / f"{topic}.ipynb"


def check_cells(folder, topic):
    return [
        cell for cell in read_notebook(notebook_path(folder, topic)).cells if is_check_cell(cell)
    ]


@pytest.mark.parametrize("topic", TOPICS)
def test_exercise_and_solution_have_the_same_checks(topic):
    solution, exercise = check_cells("solutions", topic), check_cells("exercises", topic)
    assert solution
    assert [cell.source for cell in exercise] == [cell.source for cell in solution]
    assert [cell.metadata.nbgrader.points for cell in exercise] == [
        cell.metadata.nbgrader.points for cell in solution
    ]


@pytest.mark.parametrize("folder, status", [("exercises", "pass"), ("solutions", "todo")])
def test_swapped_expectation_fails_at_every_check(folder, status, monkeypatch):
    """Of the first topic: a check is the same function everywhere, and nbval runs every topic."""
    topic = TOPICS[0]
    path = notebook_path(folder, topic)
    environment = kernel_environment(path.parent, ROOT)
    assert environment["COURSE_EXPECT"] != status
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
    assert failed == [cell.source for cell in check_cells(folder, topic)]
