"""exercises/ is exactly what nbgrader makes from solutions/."""

import json
import shutil

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tools.notebooks.make_exercises import generate_all, generate_exercise
from tools.notebooks.notebook_files import ROOT, find_notebooks, write_notebook


def test_exercises_are_those_of_the_solutions():
    generated = generate_all(ROOT)
    assert generated, "there are no solutions"
    stored = {
        path: path.read_text(encoding="utf-8") for path in find_notebooks(ROOT, ("exercises",))
    }
    names = [
        path.relative_to(ROOT).as_posix()
        for path in generated.keys() | stored.keys()
        if generated.get(path) != stored.get(path)
    ]
    assert not names, f"make exercises: {names} are not what solutions/ generates"


def test_every_file_lies_in_the_folder_of_its_topic():
    for path in find_notebooks(ROOT, ("solutions", "exercises")):
        assert path.relative_to(ROOT).parts[1:] == (path.stem, path.name)


SOLUTION = "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"


@pytest.fixture
def small_course(tmp_path):
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    common = {"schema_version": 3, "task": False}
    answer = {**common, "grade_id": "a", "solution": True, "grade": False, "locked": False}
    check = {**common, "grade_id": "b", "solution": False, "grade": True, "locked": True}
    write_notebook(
        tmp_path / "solutions" / "99_double" / "99_double.ipynb",
        new_notebook(
            cells=[
                new_code_cell(SOLUTION, metadata={"nbgrader": answer}, execution_count=1),
                new_code_cell(
                    "checks.double(double)",
                    metadata={"nbgrader": {**check, "points": 2}},
                    execution_count=2,
                ),
            ]
        ),
    )
    return tmp_path


def test_solution_is_cleared_and_nothing_else_is_written(small_course):
    before = sorted(small_course.rglob("*"))
    ((path, text),) = generate_all(small_course).items()
    assert path == small_course / "exercises" / "99_double" / "99_double.ipynb"
    assert sorted(small_course.rglob("*")) == before  # no gradebook either
    exercise = nbformat.reads(text, as_version=4)
    assert "raise NotImplementedError()" in exercise.cells[0].source
    assert "2 * x" not in text
    assert [cell.execution_count for cell in exercise.cells] == [None, None]
    assert exercise.cells[1].source == "checks.double(double)"


def test_generation_is_stable_and_keeps_ids(small_course):
    (solution,) = find_notebooks(small_course, ("solutions",))
    text = generate_exercise(solution, small_course)
    assert generate_exercise(solution, small_course) == text
    ids = [
        [cell["id"] for cell in json.loads(one)["cells"]] for one in (text, solution.read_text())
    ]
    assert ids[0] == ids[1]
