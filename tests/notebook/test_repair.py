"""What students do to notebooks is undone before grading."""

import copy
import json
import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from course_checks.notebook.repair import TRIED, CannotBeGraded, Submission, repair
from refusals import refuses
from tools.notebooks.notebook_files import ROOT, read_notebook

TOPIC = "02_single_head"
CHECKS = 6


def stored(folder):
    return read_notebook(ROOT / folder / TOPIC / f"{TOPIC}.ipynb")


@pytest.fixture
def solution():
    return stored("solutions")


@pytest.fixture
def exercise():
    return stored("exercises")


release = exercise  # what was given out


def graded_cells(notebook):
    return [
        (cell.cell_type, cell.id, cell.source, dict(cell.metadata.nbgrader))
        for cell in notebook.cells
        if "nbgrader" in cell.metadata
    ]


def checks_of(notebook):
    return [cell for cell in graded_cells(notebook) if cell[3]["grade"]]


def mended(content, release, name=f"{TOPIC}.ipynb", student="anna"):
    if not isinstance(content, bytes):
        content = json.dumps(content).encode()
    return repair(Submission(student, {name: content}), release, TOPIC)


def cell_of(notebook, grade_id):
    graded = (cell for cell in notebook.cells if "nbgrader" in cell.metadata)
    (cell,) = (cell for cell in graded if cell.metadata.nbgrader.grade_id == grade_id)
    return cell


def assert_whole(done, release, solution):
    """All check cells are the release's, and the student's answers stand in their cells."""
    nbformat.validate(done.notebook)
    assert checks_of(done.notebook) == checks_of(release)
    assert len(checks_of(done.notebook)) == CHECKS
    answers = [cell for cell in graded_cells(solution) if cell[3]["solution"]]
    assert answers
    for cell in answers:
        assert cell_of(done.notebook, cell[3]["grade_id"]).source == cell[2]


def test_honest_notebook_is_left_alone(release, solution, exercise):
    for notebook in (solution, exercise):
        done = mended(notebook, release)
        assert (done.repairs, done.forged) == ([], [])
        assert [cell.source for cell in done.notebook.cells] == [
            cell.source for cell in notebook.cells
        ]
    assert_whole(mended(solution, release), release, solution)


@pytest.mark.parametrize("keep_ids", [True, False])
def test_stripped_metadata(release, solution, keep_ids):
    as_made = copy.deepcopy(solution)
    for number, cell in enumerate(solution.cells):
        cell.metadata.clear()
        if not keep_ids:
            cell.id = f"new-{number}"
    done = mended(solution, release)
    assert_whole(done, release, as_made)
    assert done.repairs == []  # which is no reason to look


def test_duplicated_cells(release, solution):
    for grade_id in ("scaled_scores", "check_scaled_scores"):
        cell = cell_of(solution, grade_id)
        solution.cells.insert(solution.cells.index(cell) + 1, copy.deepcopy(cell))
    first = next(c for c in solution.cells if "scaled_scores" in str(c.metadata))
    first.source = "def scaled_scores(query, key):\n    return 0"
    done = mended(solution, release)
    assert checks_of(done.notebook) == checks_of(release)
    assert "math.sqrt" in cell_of(done.notebook, "scaled_scores").source
    (tried,) = [cell for cell in done.notebook.cells if TRIED in cell.metadata]
    assert tried.source == first.source and tried.metadata[TRIED] == "check_scaled_scores"
    assert sum("2 times" in line for line in done.repairs) == 2


@pytest.mark.parametrize("behind", [0, 1])
def test_untouched_copy_does_not_undo_the_answer(release, solution, exercise, behind):
    stub = cell_of(exercise, "scaled_scores")
    at = solution.cells.index(cell_of(solution, "scaled_scores"))
    solution.cells.insert(at + behind, stub)
    done = mended(solution, release)
    assert_whole(done, release, stored("solutions"))
    assert sum("def scaled_scores" in cell.source for cell in done.notebook.cells) == 1


@pytest.mark.parametrize("grade_id", ["check_scaled_scores", "check_project_qkv"])
def test_deleted_check_cell(release, solution, grade_id):
    solution.cells.remove(cell_of(solution, grade_id))
    done = mended(solution, release)
    assert_whole(done, release, solution)
    assert done.repairs == [f"{grade_id}: the cell was missing"]


def test_imports_below_the_answers(release, solution):
    at = next(i for i, cell in enumerate(solution.cells) if "course_checks as" in cell.source)
    solution.cells.append(solution.cells.pop(at))
    done = mended(solution, release)
    assert "course_checks as" in done.notebook.cells[0].source
    assert [line for line in done.repairs if line.startswith("the import of")]


def test_everything_deleted(release, solution):
    solution.cells = []
    done = mended(solution, release)
    assert graded_cells(done.notebook) == graded_cells(release)
    assert done.notebook.cells[0].source.startswith("import math")


def test_deleted_imports(release, solution):
    solution.cells = [cell for cell in solution.cells if "course_checks as" not in cell.source]
    done = mended(solution, release)
    assert "import course_checks as checks" in done.notebook.cells[0].source
    (said,) = done.repairs
    assert "checks" in said


def test_edited_check_cell(release, solution):
    cell_of(solution, "check_single_head").source = "5.0"
    done = mended(solution, release)
    assert_whole(done, release, solution)
    assert done.repairs == ["check_single_head: the check cell was edited"]


@pytest.mark.parametrize("form", ["{}", "```python\n{}\n```\n", "```\n{}\n```"])
def test_an_answer_whose_cell_became_text(release, solution, form):
    answer = cell_of(solution, "single_head")
    right = answer.source
    answer.cell_type, answer.source = "markdown", form.format(right)
    done = mended(solution, release)
    assert cell_of(done.notebook, "single_head").source.strip() == right
    assert any("text was read as code in cell" in line for line in done.repairs), done.repairs


def test_code_in_a_note_is_a_note(release, solution):
    note = new_markdown_cell("```python\ndef single_head(*args):\n    return None\n```")
    at = solution.cells.index(cell_of(solution, "single_head"))
    solution.cells.insert(at + 1, note)
    done = mended(solution, release)
    assert done.notebook.cells[at + 1].cell_type == "markdown" and done.repairs == []


def test_forged_points_and_kinds(release, solution):
    cell_of(solution, "check_single_head").metadata.nbgrader.points = 500
    cell_of(solution, "check_scaled_scores").metadata.nbgrader.grade = False
    done = mended(solution, release)
    assert_whole(done, release, solution)
    assert len(done.forged) == 2


def test_check_moved_before_its_answer(release, solution):
    cell = cell_of(solution, "check_single_head")
    solution.cells.remove(cell)
    solution.cells.insert(0, cell)
    done = mended(solution, release)
    assert_whole(done, release, solution)
    order = [cell.id for cell in done.notebook.cells]
    assert order.index("check-single-head") == order.index("single-head") + 1


def test_old_format_without_ids(release, solution):
    data = json.loads(json.dumps(solution))
    data["nbformat_minor"] = 0
    for cell in data["cells"]:
        del cell["id"]
        cell["source"] = cell["source"].splitlines(keepends=True)
    done = mended(data, release)
    assert_whole(done, release, solution)
    assert done.repairs == []


def test_format_3(release, solution):
    old = nbformat.convert(copy.deepcopy(solution), 3)
    assert_whole(mended(json.loads(json.dumps(old)), release), release, solution)


def test_windows_line_ends_and_byte_order_mark(release, solution):
    for cell in solution.cells:
        cell.source = cell.source.replace("\n", "\r\n")
    content = json.dumps(solution, indent=1).replace("\n", "\r\n").encode("utf-8-sig")
    done = mended(content, release)
    assert_whole(done, release, stored("solutions"))
    assert (done.repairs, done.forged) == ([], [])


def test_renamed_file(release, solution):
    for name in ("anna/my homework (1).ipynb", "anna/02_single_head(2).ipynb"):
        assert_whole(mended(solution, release, name=name), release, solution)


def test_the_notebook_with_most_of_the_exercise_is_taken(release, solution):
    other = nbformat.v4.new_notebook(cells=[new_code_cell("1 + 1")])
    files = {"a.ipynb": json.dumps(other).encode(), "z.ipynb": json.dumps(solution).encode()}
    files["b.ipynb"] = b"nonsense"
    assert_whole(repair(Submission("anna", files), release, TOPIC), release, solution)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        *((content, "empty") for content in (b"", b" \n")),
        *((content, "no cells") for content in (b'{"cells": 3}', b"[1, 2]")),
        *((b"\x89PNG\r\n\x1a\n\x00\x00", "not JSON"), (b"print('hello')", "not JSON")),
        (b"[" * 100_000, "not JSON"),
        (b'{"worksheets": [{"cells": 1}]}', "damaged"),
    ],
)
def test_not_a_notebook(release, content, reason):
    refuses(CannotBeGraded, reason, mended, content, release)


@pytest.mark.parametrize(
    "cell",
    [
        {},
        {"cell_type": "code"},
        {"cell_type": [], "source": "x = 1"},
        {"cell_type": 7, "source": None, "metadata": []},
        {"cell_type": "code", "source": [1, None], "metadata": {"nbgrader": {"grade_id": []}}},
        {"cell_type": "code", "source": "\x00 def (", "id": "not allowed " * 30},
        {"cell_type": "markdown", "source": "text", "attachments": 5, "outputs": "x"},
    ],
)
def test_malformed_cells_do_not_matter(release, solution, cell):
    data = json.loads(json.dumps(solution))
    data["cells"] = [cell, 5, *data["cells"], cell]
    assert_whole(mended(data, release), release, solution)


def test_a_notebook_of_very_many_cells_is_refused(release):
    cells = [{"cell_type": "code", "source": "1"}] * 2001
    refuses(CannotBeGraded, "more than 2000 cells", mended, {"cells": cells}, release)


@pytest.mark.parametrize("value", ["mine", "lambda *args: mine(*args)", "torch.compile(mine)"])
def test_name_that_is_given_to_a_value_is_defined(release, solution, value):
    answer = cell_of(solution, "scaled_scores")
    answer.source = answer.source.replace("def scaled_scores(", "def mine(")
    answer.source += f"\n\n\nscaled_scores = {value}"
    assert mended(solution, release).repairs == []


@pytest.mark.parametrize(
    "magic", ["%%time", "%%timeit -n 1", "\n%%capture out", "%%prun -q\n%%time", "%xmode Minimal"]
)
def test_a_magic_that_only_measures_or_hides_is_passed_over(release, solution, exercise, magic):
    answer = cell_of(solution, "scaled_scores")
    solution.cells.append(new_code_cell(f"{magic}\n{answer.source}"))
    answer.source = cell_of(exercise, "scaled_scores").source
    first = cell_of(solution, "project_qkv")
    first.source = f"{magic}\n{first.source}"
    done = mended(solution, release)
    assert "found by its name" in "".join(done.repairs)
    passed_over = re.sub("^%", "# %", magic, flags=re.MULTILINE)
    assert sum(cell.source.startswith(passed_over) for cell in done.notebook.cells) == 2


def test_name_that_the_edited_check_gives_is_kept(release, solution):
    answer = cell_of(solution, "scaled_scores")
    answer.source = answer.source.replace("def scaled_scores(", "def mine(")
    given = "scaled_scores = mine\nchecks.scaled_scores(scaled_scores)"
    cell_of(solution, "check_scaled_scores").source = given
    done = mended(solution, release)
    sources = [cell.source for cell in done.notebook.cells]
    check = cell_of(done.notebook, "check_scaled_scores").source
    assert sources.index(answer.source) < sources.index(given) < sources.index(check)


@pytest.mark.parametrize(
    "check",
    ["print(checks.scaled_scores(mine))", "got = checks.scaled_scores(mine, seed=3)\ngot.points"],
)
def test_other_name_in_an_edited_check_is_judged(release, solution, check):
    answer = cell_of(solution, "scaled_scores")
    answer.source = answer.source.replace("def scaled_scores(", "def mine(")
    cell_of(solution, "check_scaled_scores").source = check
    done = mended(solution, release)
    assert "scaled_scores = mine" in [cell.source for cell in done.notebook.cells]
