"""Answers that are alike are named with what they share; what the exercise forces is not."""

import re

import pytest
from made_results import MadeClass, rows

from conftest import TOPIC, happenings, stored
from grading.alike import (
    TABLE,
    Pair,
    _is_enough,
    find_alike,
    forced_features,
    read_answer,
    read_words,
)
from grading.by_hand import path_of
from grading.report import merge
from grading.results import PUBLISHED
from tools.checks.shipped_answers import answers_to

SOLUTION = {
    cell.metadata.nbgrader.grade_id: re.sub(r"### (BEGIN|END) SOLUTION\n? *", "", cell.source)
    for cell in stored("solutions", TOPIC).cells
    if cell.metadata.get("nbgrader", {}).get("solution")
}
# A right answer that nobody else writes, and the same with other names.
OWN = """def single_head(x, w_query, w_key, w_value):
    pieces = []
    for matrix in [w_query, w_key, w_value]:
        pieces.append(torch.tensordot(x, matrix, dims=([-1], [1])))
    first, second, third = pieces
    table = torch.stack([(first * row.unsqueeze(-2)).sum(-1) for row in second.unbind(-2)], -1)
    table = table.div(len(w_query) ** 0.5).softmax(-1)
    return table.matmul(third), table
"""
RENAMED = """def single_head(inputs, wq, wk, wv):
    # three products
    parts = []
    for m in [wq, wk, wv]:
        parts.append(torch.tensordot(inputs, m, dims=([-1], [1])))
    a, b, c = parts
    t = torch.stack([(a * r.unsqueeze(-2)).sum(-1) for r in b.unbind(-2)], -1)
    t = t.div(len(wq) ** 0.5).softmax(-1)
    return t.matmul(c), t
"""
STRANGE = "def scaled_scores(query, key):\n    return query @ key.mT / (query.shape[-1] + 0.37)\n"
STRANGE_TOO = "def scaled_scores(a, b):\n    return a @ b.mT / (a.shape[-1] + 0.37)  # scaled\n"
OF_ITS_OWN = "def scaled_scores(query, key):\n    return query @ key.mT / query.shape[-1] ** 0.6\n"


def named(release, answers, strange=()):
    """The pairs that are named in a class with these answers to one exercise."""
    read = {name: read_answer(text, name in strange) for name, text in answers.items()}
    pairs = find_alike({"check": read}, forced_features(release), len(answers))
    return {pair.students: pair for pair in pairs}


@pytest.mark.parametrize("exercise", SOLUTION)
def test_honest_copies_of_the_same_right_answer_are_not_named(release, exercise):
    answers = {f"s{number}": SOLUTION[exercise] for number in range(3)}
    assert named(release, answers) == {}
    texts = [each.as_handed_in() for each in answers_to(exercise) if each.is_right]
    assert texts
    for text in texts:  # right in a way that others found as well
        assert named(release, {"a": text, "b": text}) == {}


def test_renamed_variables_are_named_with_what_is_shared(release):
    others = {f"s{number}": SOLUTION["single_head"] for number in range(20)}
    found = named(release, others | {"anna": OWN, "ben": RENAMED})
    assert set(found) == {("anna", "ben")}
    lines = found["anna", "ben"].lines["check"]
    assert "torch.tensordot(x, matrix, dims=([-1], [1]))" in lines
    assert "def single_head" not in lines  # the exercise gives that


def test_a_shared_strange_mistake_is_named_and_two_different_ones_are_not(release):
    answers = {
        "anna": STRANGE,
        "ben": STRANGE_TOO,
        "cleo": OF_ITS_OWN,
        "dora": SOLUTION["scaled_scores"],
    }
    found = named(release, answers, strange=("anna", "ben", "cleo"))
    assert set(found) == {("anna", "ben")}
    assert "+ 0.37" in found["anna", "ben"].lines["check"]
    assert named(release, answers) == {}  # the same in an answer that is right or known is little
    same = {"x": OWN, "y": OWN}
    once, twice = (named(release, same, strange)["x", "y"].total for strange in ("", "xy"))
    assert twice == 2 * once  # in one that is strange it counts twice


@pytest.mark.parametrize(
    ("evidence", "enough"),
    [((20,), True), ((19,), False), ((19, 11), True), ((19, 10), False), ((19, 5, 5, 5), False)],
)
def test_what_is_little_in_one_answer_is_enough_with_another(evidence, enough):
    by_exercise = {f"check_{number}": float(value) for number, value in enumerate(evidence)}
    assert _is_enough(Pair(("a", "b"), by_exercise)) == enough


def test_what_many_share_is_no_sign(release):
    assert named(release, {f"s{number}": OWN for number in range(9)}) == {}
    assert len(named(release, {f"s{number}": OWN for number in range(4)})) == 6


def test_comments_texts_and_broken_code(release):
    said = "# my grandmother would have divided by the root here\n"
    one, other = (
        SOLUTION["scaled_scores"].replace("\n    return", f"\n    {said}    return")
        for _ in range(2)
    )
    pair = find_alike(
        {
            name: {"a": read_answer(one), "b": read_answer(other)}
            for name in ("x", "y", "z", "v", "w")
        },
        forced_features(release),
        2,
    )
    assert len(pair) == 1 and "grandmother" in pair[0].lines["x"]
    assert read_answer("def f(:\n  x = 'abc\n").text and read_answer("").features == {}
    words = (
        "Attention to itself does not say what a head copies, so I ablated it and looked again. "
    )
    words += "Nothing changed in the output, which is why I think that this head waits for names."
    read = {"a": read_words(words), "b": read_words("Well. " + words), "c": read_words("No")}
    assert [pair.students for pair in find_alike({"why": read}, set(), 3)] == [("a", "b")]


def test_tables_name_them_and_the_students_page_does_not(tmp_path, release, browser):
    (tmp_path / "out").mkdir()
    made = MadeClass(tmp_path / "out", release)
    copied = {"single_head": re.sub(r"\bscores\b", "s", SOLUTION["single_head"])}
    copied["scaled_scores"] = SOLUTION["scaled_scores"]  # too short to say anything
    for number in range(5):
        made.add(f"s{number}", copied)
    made.add("anna", {"single_head": OWN}, {"single_head": 6})
    made.add("ben", {"single_head": RENAMED}, {"single_head": 6})
    merge(made.root, release)
    (row,) = rows(made.root / TABLE)
    assert (row["student"], row["and"]) == ("anna", "ben")
    assert row["exercise"].startswith("Exercise 4") and "tensordot" in row["shared_lines"]
    review = {row["student"]: row["reasons"] for row in rows(made.root / "review.csv")}
    assert set(review) == {"anna", "ben", *(f"s{number}" for number in range(5))}
    exercise = "Exercise 4 \N{MIDDLE DOT} Debug: everybody looks at themselves"
    assert review["s4"] == f"{PUBLISHED}, names and layout aside: {exercise}"
    assert review["anna"].startswith("alike: shares with ben what few others wrote, in Exercise 4")
    assert {row["student"]: row["score"] for row in rows(made.root / "scores.csv")}["anna"] == "6"

    path_of(made.root).write_text("student,exercise,points,comment\nanna,,,They work together.\n")
    merge(made.root, release)
    assert "anna" not in {row["student"] for row in rows(made.root / "review.csv")}
    page = made.root / "students" / "anna" / "feedback.html"
    assert "They work together." in page.read_text(encoding="utf-8")
    assert "shares with" not in page.read_text(encoding="utf-8")
    assert happenings(browser, page) == []
