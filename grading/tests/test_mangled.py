"""Mangled notebooks from the file to the points: the student keeps what the answers earn."""

import copy
import json
import re

import nbformat
import pytest
from honest import lacking, scattered

from conftest import POINTS, TOPIC, grade_folder, hand_in, stored, with_cell, without_trials

NOISE = "import sys\nprint('noise', file=sys.stderr)"


def check_cell(notebook):
    return next(cell for cell in notebook.cells if cell.id == "check-single-head")


def mangle(notebook, how):
    match how:
        case "stripped":
            for number, cell in enumerate(notebook.cells):
                cell.metadata.clear()
                cell.id = f"colab{number}"
        case "check_edited":
            check_cell(notebook).source = "print('edited')\n100.0"
        case "points_forged":
            check_cell(notebook).metadata.nbgrader.points = 1000
        case "stderr":
            for cell in notebook.cells:
                if cell.metadata.get("nbgrader", {}).get("solution"):
                    cell.source += "\n" + NOISE
            notebook = with_cell(notebook, "import warnings\nwarnings.simplefilter('always')")
    return notebook


# what review.csv says; None: nothing
EXPECTED = {
    "stripped": None,  # it is found again, and nobody has to look
    "check_edited": "repaired: check_single_head",
    "points_forged": "tampering suspected: check_single_head",
    "stderr": None,
    "old": None,
    "scattered": "repaired: single_head: the answer was found by its name in cell",
}


@pytest.fixture(scope="module")
def mangled(release, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mangled")
    solution = without_trials(stored("solutions"))
    for how in ("stripped", "check_edited", "points_forged", "stderr"):
        hand_in(folder / "in", how, mangle(copy.deepcopy(solution), how))
    old = json.loads(nbformat.writes(solution)) | {"nbformat_minor": 0}
    for cell in old["cells"]:
        del cell["id"]
    (folder / "in" / "old.ipynb").write_text(json.dumps(old))
    mixed_up = scattered(copy.deepcopy(solution), stored("exercises"))
    hand_in(folder / "in" / "scattered" / "my files", f"Copy of {TOPIC} (2)", mixed_up)
    lacks = nbformat.writes(lacking(copy.deepcopy(solution)))
    (folder / "in" / "lacking.ipynb").write_bytes(lacks.encode("utf-16"))
    for name, content in {"nothing": b"", "picture": b"\x89PNG\r\n"}.items():
        (folder / "in" / f"{name}.ipynb").write_bytes(content)
    (folder / "in" / "no_file").mkdir()
    text_alone = folder / "in" / "Cleo Cox_7_assignsubmission_onlinetext"
    text_alone.mkdir()
    (text_alone / "onlinetext.html").write_text("<p>My computer is broken.</p>")
    return grade_folder(release, folder / "in", folder / "out")


@pytest.mark.parametrize("how", EXPECTED)
def test_points_survive(mangled, how):
    result = mangled[how]
    assert result.score == result.max_score == POINTS
    if EXPECTED[how] is None:
        assert result.review == []
    else:
        assert any(line.startswith(EXPECTED[how]) for line in result.review), result.review


def test_what_stands_elsewhere_is_named_with_its_cell(mangled):
    told = [line for line in mangled["scattered"].review if re.search(r"cell \d+$", line)]
    notebook = nbformat.read(mangled.folder / "students" / "scattered" / "graded.ipynb", 4)
    names = ["scaled_scores", "single_head", "MyHead", "mine"]
    assert len(told) == len(names) + 1  # and one was text
    for name in names:
        (line,) = (line for line in told if name in line)
        number = int(re.search(r"cell (\d+)$", line)[1])
        assert re.search(rf"(def|class) {name}\(", notebook.cells[number - 1].source)


def test_what_a_submission_lacks_costs_no_more_than_what_needs_it_and_is_named(mangled):
    """Read in UTF-16; with a compiled answer, and with cells that end and flood the kernel."""
    result = mangled["lacking"]
    lost = [name for name, (earned, possible) in result.points.items() if earned < possible]
    assert lost == ["check_single_head"]
    told = [re.sub(", is not there where.*", "", line) for line in result.review]
    assert told == [
        "output dropped: cell 6 printed too much",
        "output dropped: cell 7 printed too much",
        "missing: a GPU, asked for in cell 3, 23",
        "missing: neither_here, asked for in cell 3",
        "missing: not_here, asked for in cell 3",
        "missing: other_one, asked for in cell 22",
    ]


@pytest.mark.parametrize("name", ["nothing", "picture", "no_file"])
def test_what_cannot_be_graded_gets_0_and_review(mangled, name):
    assert mangled[name].score == 0
    assert mangled[name].max_score == POINTS
    (reason,) = mangled[name].review
    assert reason.startswith("could not be graded: ")
    page = (mangled.folder / "students" / name / "feedback.html").read_text()
    assert "could not be graded" in page
    assert f"hand in {TOPIC}.ipynb itself" in page
    assert "NotImplementedError" not in page  # no template that nobody handed in


def test_a_text_that_came_with_a_submission_is_named_for_the_teacher_alone(mangled):
    result = mangled["Cleo Cox_7"]
    (text,) = [line for line in result.review if line.startswith("a text to you: ")]
    assert "onlinetext.html" in text
    page = (mangled.folder / "students" / "Cleo Cox_7" / "feedback.html").read_text()
    assert "a text to you" not in page and f"hand in {TOPIC}.ipynb itself" in page


def test_the_page_shows_what_the_student_wrote_and_not_what_came_with_the_exercise(mangled):
    page = (mangled.folder / "students" / "scattered" / "feedback.html").read_text()
    text = re.sub("<[^>]*>", "", page)
    assert "def single_head" in text and "single_head: 6 of 6 points" in text
    assert "Exercise 4" in text
    assert "use_course_style" not in text and "Hint 1" not in text and "$" not in text
