"""A mistake in one exercise costs nothing in a later one whose answer calls that function."""

import nbformat
import pytest

from conftest import grade_folder, hand_in, stored, with_cell
from course_checks.notebook.mistakes import mistakes_of
from grading.carried import may_be_lent

CALLS = """def single_head(x, w_query, w_key, w_value):
    query, key, value = project_qkv(x, w_query, w_key, w_value)
    weights = torch.softmax(scaled_scores(query, key), dim=-1)
    return weights @ value, weights
"""
UNSCALED = "def scaled_scores(query, key):\n    return query @ key.transpose(-2, -1)\n"
SWAPPED = "    return x @ w_key.T, x @ w_query.T, x @ w_value.T\n"
HEAD = "def project_qkv(x, w_query, w_key, w_value):\n"
# Answers by function, a cell of the student's own, and the exercises that are wrong.
STUDENTS = {
    "calls": ({"scaled_scores": UNSCALED, "single_head": CALLS}, "", {"scaled_scores"}),
    "calls_what_does_not_run": (
        {"project_qkv": f"{HEAD}    return (\n", "scaled_scores": UNSCALED, "single_head": CALLS},
        "",
        {"project_qkv", "scaled_scores"},
    ),
    "calls_through_its_own": (
        {"scaled_scores": UNSCALED, "single_head": CALLS.replace("scaled_scores(", "my_scores(")},
        "my_scores = lambda query, key: scaled_scores(query, key)",
        {"scaled_scores"},
    ),
    "calls_by_another_name": (
        {
            "scaled_scores": UNSCALED,
            "single_head": "scores_of = scaled_scores\n"
            + CALLS.replace("scaled_scores(", "scores_of("),
        },
        "",
        {"scaled_scores"},
    ),
    "calls_below_a_magic": (
        {"scaled_scores": f"%%timeit\n{UNSCALED}", "single_head": f"%%capture\n{CALLS}"},
        "",
        {"scaled_scores"},
    ),
    "has_one_of_its_own": (
        {
            "project_qkv": HEAD + SWAPPED,
            "single_head": CALLS.replace("weights @ value, weights", "weights @ query, weights"),
        },
        "",
        {"project_qkv", "single_head"},
    ),
    "wrote_it_again": (
        {
            "scaled_scores": UNSCALED,
            "single_head": CALLS.replace("scaled_scores(query, key)", "query @ key.mT"),
        },
        "",
        {"scaled_scores", "single_head"},
    ),
}
APART = STUDENTS.keys() - {"wrote_it_again"}
# What a notebook says at its end of the functions that it has then.
AT_THE_END = "print('own', scaled_scores(torch.ones(1, 4), torch.ones(1, 4)).item())"


@pytest.fixture(scope="module")
def graded(release, tmp_path_factory):
    folder = tmp_path_factory.mktemp("carried")
    for student, (answers, own, _) in STUDENTS.items():
        notebook = with_cell(stored("solutions"), own)
        for name, source in answers.items():
            (cell,) = [cell for cell in notebook.cells if f"def {name}(" in cell.source]
            cell.source = source
        notebook.cells.append(nbformat.v4.new_code_cell(AT_THE_END))
        hand_in(folder / "in", student, notebook)
    return grade_folder(release, folder / "in", folder / "out")


def notebook_of(graded, student):
    return nbformat.read(graded.folder / "students" / student / "graded.ipynb", as_version=4)


@pytest.mark.parametrize("student", STUDENTS)
def test_each_mistake_costs_points_once(graded, student):
    _, _, wrong = STUDENTS[student]
    points = graded[student].points
    lost = {name for name, (earned, of) in points.items() if earned < of}
    assert lost == {f"check_{name}" for name in wrong}
    assert set(mistakes_of(notebook_of(graded, student))) == lost
    told = [line for line in graded[student].review if not line.startswith("alike")]
    # What Python cannot read is named, and nothing else is.
    assert ["cannot read" in line for line in told] == [True] * ("not_run" in student)


@pytest.mark.parametrize("student", STUDENTS)
def test_it_is_said_whose_function_was_called(graded, student):
    page = (graded.folder / "students" / student / "feedback.html").read_text()
    said = "Judged with the course" in page
    assert said == (student in APART)


def test_nothing_is_lent_that_the_course_asks_for_later():
    assert may_be_lent("project_qkv", "single_head", [])
    assert not may_be_lent("single_head", "project_qkv", [])  # with it, one has both


def test_the_notebook_has_its_own_function_back(graded):
    assert "own 4.0" in graded.printed("calls")  # unscaled
    assert "own 4.0" in graded.printed("calls_through_its_own")
    assert "own 2.0" in graded.printed("has_one_of_its_own")
