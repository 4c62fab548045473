"""Solutions pass every check and exercises leave every check open; swapped, every check fails."""

import pytest
from nbclient import NotebookClient

from notebook_env import kernel_environment
from notebook_files import ROOT, find_notebooks, is_check_cell, read_notebook

TOPICS = [path.stem for path in find_notebooks(ROOT, ("solutions",))]


def notebook_path(folder, topic):
    return ROOT / folder / topic / f"{topic}.ipynb"


def check_cells(folder, topic):
    return [
        cell for cell in read_notebook(notebook_path(folder, topic)).cells if is_check_cell(cell)
    ]


def test_there_are_topics():
    assert TOPICS


@pytest.mark.parametrize("topic", TOPICS)
def test_exercise_and_solution_have_the_same_checks(topic):
    solution, exercise = check_cells("solutions", topic), check_cells("exercises", topic)
    assert solution
    assert [cell.source for cell in exercise] == [cell.source for cell in solution]
    assert [cell.metadata.nbgrader.points for cell in exercise] == [
        cell.metadata.nbgrader.points for cell in solution
    ]


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("folder, status", [("exercises", "pass"), ("solutions", "todo")])
def test_swapped_expectation_fails_at_every_check(folder, status, topic):
    path = notebook_path(folder, topic)
    environment = kernel_environment(path.parent, ROOT)
    assert environment["COURSE_EXPECT"] != status
    environment["COURSE_EXPECT"] = status
    notebook = read_notebook(path)
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        allow_errors=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute(env=environment)
    failed = [
        cell.source
        for cell in notebook.cells
        if cell.cell_type == "code" and any(o.output_type == "error" for o in cell.outputs)
    ]
    assert failed == [cell.source for cell in check_cells(folder, topic)]
