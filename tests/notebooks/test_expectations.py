"""Solutions pass every check and exercises leave every check open; swapped, every check fails."""

import ast

import pytest

from tools.notebooks.notebook_env import kernel_environment
from tools.notebooks.notebook_files import (
    ROOT,
    find_notebooks,
    is_check_cell,
    is_solution_cell,
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


def needed_cells(cells):
    """The checks, the functions that they check, and the cells that give a name to one of these.

    What tries an answer out, trains or draws with it is left out: that is run when it is compared.
    """
    kept, wanted = [], set()
    for cell in reversed([cell for cell in cells if cell.cell_type == "code"]):
        names = [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Name)]
        given = names_given(ast.parse(cell.source))
        gives = given & wanted and ".ready(" not in cell.source
        if is_check_cell(cell) or is_solution_cell(cell) or gives:
            kept.append(cell)
            wanted |= {node.id for node in names if isinstance(node.ctx, ast.Load)}
    return kept[::-1]


def names_given(tree):
    """The names that a cell defines at its top: by import, definition or assignment."""
    given = set()
    for node in tree.body:
        match node:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                given |= {(alias.asname or alias.name).partition(".")[0] for alias in names}
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                given.add(name)
            case _:
                names = (one for one in ast.walk(node) if isinstance(one, ast.Name))
                given |= {one.id for one in names if isinstance(one.ctx, ast.Store)}
    return given


# The solutions have the same checks, and were run by a kernel: of those, one topic is enough.
SWAPPED = [("exercises", "pass", topic) for topic in TOPICS] + [("solutions", "todo", TOPICS[0])]


@pytest.mark.parametrize("folder, status, topic", SWAPPED)
def test_swapped_expectation_fails_at_every_check(folder, status, topic, monkeypatch):
    path = notebook_path(folder, topic)
    environment = kernel_environment(path.parent, ROOT)
    assert environment["COURSE_EXPECT"] != status
    monkeypatch.setenv("COURSE_EXPECT", status)
    monkeypatch.chdir(path.parent)
    names, failed = {"__name__": "__main__"}, []
    for cell in needed_cells(read_notebook(path).cells):
        try:
            exec(compile(cell.source, path.name, "exec"), names)
        except AssertionError as error:
            assert f"expected {status!r}, got" in str(error)
            failed.append(cell.source)
    assert failed == [cell.source for cell in check_cells(folder, topic)]
