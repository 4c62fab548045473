"""The class at a glance, from results that are made here without running a submission."""

import csv
import re
from pathlib import Path

import nbformat
import pytest

import course_checks as checks
from conftest import TOPIC, stored
from course_checks.notebook.lacking import lacking
from course_checks.notebook.mistakes import (
    NO_VERDICT,
    NOT_RECOGNISED,
    NOT_WRITTEN,
    WITH_AN_ERROR,
    mistakes_of,
)
from grading.class_page import PAGE, TABLE, write_class_page
from grading.results import Graded, Result, read_results, write_result
from tools.notebooks.notebook_files import notebook_text


def not_written(*args):
    raise NotImplementedError


def of_its_own(query, key):
    return (query @ key.transpose(-1, -2)) ** 3


def with_an_error(query, key):
    return query / 0 @ None


def graded(scores, source="def scaled_scores(query, key): ..."):
    """The solution, graded, in which ``scores`` is the answer to exercise 2 (None: not run)."""
    notebook, points = stored("solutions"), {}
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader", {})
        if about.get("grade_id") == "scaled_scores":
            cell.source = source
        if about.get("grade"):
            name = about["grade_id"].removeprefix("check_")
            check = checks.ALL[name]
            function = scores if name == "scaled_scores" else check.exercise.reference
            if function is None:
                error = {"ename": "NameError", "evalue": "name 'scaled_scores' is not defined"}
                cell.outputs = [nbformat.v4.new_output("error", **error, traceback=[])]
                points[about["grade_id"]] = [0.0, float(about["points"])]
                continue
            verdict = check(function, seed=0)
            data = {"text/html": verdict._repr_html_(), "text/plain": repr(verdict)}
            cell.outputs = [nbformat.v4.new_output("execute_result", data=data)]
            points[about["grade_id"]] = [verdict.points, float(verdict.max_points)]
    return notebook, points


def mistake(name):
    named = {mistake.name: mistake for mistake in checks.scaled_scores.exercise.mistakes}
    return named[name].function


def with_einops(query, key):
    raise ModuleNotFoundError("No module named 'einops'")


def with_file(query, key):
    return query * float(Path("numbers.txt").read_text())


def with_helper(query, key):
    return helper(query @ key.mT)  # noqa: F821


ANSWERS = {
    "anna": mistake("no_scale"),
    "bert": mistake("no_scale"),
    "cleo": mistake("no_square_root"),
    "dora": checks.scaled_scores.exercise.reference,
    "emil": not_written,
    "fay": of_its_own,
    "gus": with_an_error,
    "hal": None,
}


@pytest.fixture
def root(tmp_path):
    for student, answer in ANSWERS.items():
        source = "def scaled_scores(query, key): return '<script>alert(1)</script>' # " + student
        notebook, points = graded(answer, source)
        result = Result(student, TOPIC, "key", 0, True, points, [], 1.0, 1.0)
        write_result(tmp_path / "students" / student, Graded(result, notebook_text(notebook), ""))
    return tmp_path


def test_every_known_mistake_of_the_course_is_found_by_its_sentence():
    notebook = stored("exercises")
    for name, check in checks.ALL.items():
        cell = nbformat.v4.new_code_cell(f"checks.{name}({name})")
        cell.metadata["nbgrader"] = {"grade": True, "grade_id": name, "points": 1}
        for mistake in check.exercise.mistakes:
            verdict = checks.Result(name, 0.0, 3, "wrong", (mistake.sentence, "And more."))
            data = {"text/html": verdict._repr_html_(), "text/plain": "0.0"}
            cell.outputs = [nbformat.v4.new_output("execute_result", data=data)]
            notebook.cells = [cell]
            found = mistakes_of(notebook)[name]
            assert mistake.name.replace("_", " ") in found.name.split(", or "), (name, mistake.name)


@pytest.mark.parametrize(
    ("answer", "name", "words"),
    [
        (mistake("no_scale"), "no scale", "not divided by sqrt"),
        (not_written, NOT_WRITTEN, ""),
        (of_its_own, NOT_RECOGNISED, "This is not right yet"),
        (with_an_error, WITH_AN_ERROR, "TypeError: "),
        (None, WITH_AN_ERROR, "NameError: name 'scaled_scores' is not defined"),
    ],
)
def test_what_went_wrong_is_read_from_the_check(answer, name, words):
    (mistake,) = mistakes_of(graded(answer)[0]).values()
    assert mistake.name == name
    assert mistake.sentence.startswith(words) or words in mistake.sentence


def test_a_right_answer_has_no_mistake_and_a_hidden_verdict_is_said():
    notebook, _ = graded(checks.scaled_scores.exercise.reference)
    assert mistakes_of(notebook) == {}
    for cell in notebook.cells:
        cell.pop("outputs", None)
        if cell.cell_type == "code":
            cell.outputs = []
    assert {mistake.name for mistake in mistakes_of(notebook).values()} == {NO_VERDICT}


def test_the_table_counts_each_mistake_with_its_sentence(root, release):
    write_class_page(root, release, read_results(root))
    with (root / TABLE).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = [row["mistake"] for row in rows]
    assert names[:2] == ["no scale", "no square root"]  # by name before all others
    counts = {row["mistake"]: (row["students"], row["of"]) for row in rows}
    assert counts["no scale"] == ("2", "8") and counts["no square root"] == ("1", "8")
    assert sum(int(row["students"]) for row in rows) == 7
    assert all(row["exercise"].startswith("Exercise 2") for row in rows)


def test_the_page_shows_points_mistakes_and_an_answer_and_runs_nothing(root, release):
    write_class_page(root, release, read_results(root))
    page = (root / PAGE).read_text(encoding="utf-8")
    assert "2 of 8: no scale" in page and "anna, bert" in page
    assert "1 of 8" in page  # at full points
    assert page.count("<svg") == 7  # the totals, and each exercise
    # What one student did and no check has a name for, and exercises without mistakes, fold.
    before, _, rare = page.partition("more, each of one student")
    assert "no square root" in before.split("</table>")[1] and "This is not right yet" in rare
    assert "5 exercises in which no check saw a mistake" in rare
    assert "<script" not in page and "&lt;script&gt;alert(1)" in page
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page
    assert not re.search(r'(src|href)="(?!#)', page)


def test_an_answer_that_waits_for_a_person_is_no_mistake(root, release):
    waiting = [
        Result(**(vars(result) | {"by_hand": {"check_scaled_scores": "words"}}))
        for result in read_results(root)
    ]
    write_class_page(root, release, waiting)
    assert "no scale" not in (root / TABLE).read_text(encoding="utf-8")


def test_a_class_without_results_has_a_page_too(tmp_path, release):
    write_class_page(tmp_path, release, [])
    assert "0 submissions" in (tmp_path / PAGE).read_text(encoding="utf-8")


def failed_import(name):
    error = {"ename": "ModuleNotFoundError", "evalue": f"No module named '{name}'"}
    output = nbformat.v4.new_output("error", **error, traceback=[])
    return nbformat.v4.new_code_cell(f"import {name}", outputs=[output])


def test_what_is_missing_is_named_where_points_were_lost():
    notebook, _ = graded(with_einops)  # imported in the function
    number = next(
        n for n, c in enumerate(notebook.cells, 1) if c.source.startswith("checks.scaled")
    )
    notebook.cells.append(failed_import("einops.layers"))
    (told,) = lacking(notebook, [])
    assert told.startswith(
        f"einops, asked for in cell {number}, {len(notebook.cells)}, is not there"
    )
    (told,) = lacking(graded(with_file)[0], [])
    assert told.startswith(f"numbers.txt, asked for in cell {number}, is not there")
    notebook, _ = graded(with_helper)
    notebook.cells += [nbformat.v4.new_code_cell("def helper(x):\n    return x")] * 2
    told = f"helper, asked for in cell {number}, is defined in cell {len(notebook.cells) - 1}"
    assert lacking(notebook, []) == [told]
    notebook, _ = graded(with_an_error, "def scaled_scores(a, b):\n    return sum(a) + torch.e")
    own = ["from torch import *", "sum = 3", "for torch in range(3): pass", "def f(): torch = 3"]
    notebook.cells[:0] = map(nbformat.v4.new_code_cell, own)
    assert lacking(notebook, []) == [
        f"{name}, asked for in cell {number + 4}, is something else since cell {cell}"
        for name, cell in (("sum", 2), ("torch", 3))
    ]
    right = graded(checks.scaled_scores.exercise.reference)[0]
    right.cells.append(failed_import("einops"))
    assert lacking(right, []) == []
