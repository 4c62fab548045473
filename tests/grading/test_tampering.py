"""What the grader asks the kernel has one answer, and reading the source accuses nobody honest."""

import json

import nbformat
import pytest
from hostile import CHEATS

from conftest import ASSIGNMENTS, stored, with_cell
from course_lib import checks
from grading import tampering
from notebook_files import is_check_cell


@pytest.mark.parametrize("name", checks.ALL)
def test_a_question_has_one_answer(name):
    """Asked of the right answer and two mistakes; test_marks would not name one that varies."""
    last = len(checks.ALL[name].exercise.mutants) - 1
    for mutant, seed in ((None, 0), (None, 1), (0, 2), (last, 3)):
        first = tampering._points(name, mutant, seed)
        assert tampering._points(name, mutant, seed) == first
        assert (first == checks.ALL[name].max_points) == (mutant is None)


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_every_check_of_the_notebook_is_asked_for(name):
    notebook = stored("exercises", name)
    checked = [cell for cell in notebook.cells if is_check_cell(cell)]
    questions = tampering.draw_questions(notebook)
    assert len(questions) == 2 * len(checked) > 0
    assert {one[0] for one in questions if one[1] is None} == {one[0] for one in questions}
    assert questions != tampering.draw_questions(notebook)


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_given_cells_are_no_sign(name):
    release = stored("exercises", name)
    assert tampering.suspicious_code(stored("solutions", name), release) == []


@pytest.mark.parametrize(
    "name", [name for name in CHEATS if name not in ("patched_allclose_in_disguise",)]
)
def test_source_shows_the_cheat(exercise, name):
    changed = with_cell(exercise, CHEATS[name][0])
    assert tampering.suspicious_code(changed, exercise)


def test_wrong_points_and_missing_answers_are_signs():
    questions = [("scaled_scores", None, 3)]
    right = tampering._points(*questions[0])

    def answer(**changes):
        content = {"objects": {"torch.exp": "1 "}, "hooks": [], "points": [right]}
        return repr(json.dumps(content | changes))

    assert tampering.compare_probes(answer(), answer(), questions) == []
    assert tampering.compare_probes(answer(), answer(points=[right - 1]), questions) == [
        tampering.WRONG_POINTS
    ]
    assert tampering.compare_probes(answer(), answer(objects={"torch.exp": "2 "}), questions) == [
        "torch.exp was replaced"
    ]
    for silent in ("", "'{}'", "3", repr(json.dumps([1]))):
        assert tampering.compare_probes(answer(), silent, questions)


def test_notebook_that_is_no_python_is_no_sign(exercise):
    notebook = with_cell(exercise, "def unfinished(:\n    torch.allclose =")
    assert tampering.suspicious_code(notebook, exercise) == []
    assert tampering.suspicious_code(nbformat.v4.new_notebook(), exercise) == []
