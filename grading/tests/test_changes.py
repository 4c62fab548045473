"""What a further run says of the one before; no submission is run here."""

import csv

import pytest
from made_results import MadeClass

from conftest import TOPIC
from grading.by_hand import path_of as by_hand_path
from grading.changes import TABLE
from grading.late import path_of as settings_path
from grading.report import merge
from grading.roster import read_roster


@pytest.fixture
def made(tmp_path, release):
    (tmp_path / "out").mkdir()
    made = MadeClass(tmp_path / "out", release)
    for student in ("anna", "ben", "cleo"):
        made.add(student, {"scaled_scores": "return 1"}, {"scaled_scores": 2})
    return made


def rows(made):
    path = made.root / TABLE
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [tuple(row.values())[1:] for row in csv.DictReader(file)]


@pytest.mark.parametrize(
    ("made_of", "why"),
    [
        ({"submission": "2"}, "another submission"),
        ({"release": "2"}, "the release (the assignment or course_lib)"),
        ({"grader": "2", "release": "2"}, "the release (the assignment or course_lib), the grader"),
        ({"settings": "2"}, "the seed or the limits"),
        ({}, "graded again, and nothing of it is another one"),
    ],
)
def test_who_changed_and_why(made, release, made_of, why):
    merge(made.root, release)
    earned = {"scaled_scores": 6, "single_head": 3}
    made.add("ben", {"scaled_scores": "return 1"}, earned, **made_of)
    # What is made again with the same outcome is no change.
    made.add("cleo", {"scaled_scores": "return 1"}, {"scaled_scores": 2}, release="3")
    merge(made.root, release)
    (row,) = rows(made)
    assert row[:3] == ("ben", "2", "9") and row[4] == why
    assert row[3].startswith("Exercise 2 · The scale: 2 to 6; ") and row[3].endswith("0 to 3")


def test_who_comes_and_who_goes(made, release):
    merge(made.root, release)
    merge(made.root, release)
    assert rows(made) == []  # the first run, and one that changes nothing
    made.remove("anna")
    made.add("dora", {}, {"scaled_scores": 1})
    merge(made.root, release)
    assert rows(made) == [
        ("anna", "2", "", "", "taken out of the folder"),
        ("dora", "", "1", "", "handed in since"),
    ]


def test_points_by_hand_and_the_rule_are_reasons_and_earlier_lines_stay(made, release):
    merge(made.root, release)
    by_hand_path(made.root).write_text("student,exercise,points,comment\nben,2,5,\n")
    merge(made.root, release)
    line = f"{TOPIC} = {{ due = 2001-01-01T00:00:00, percent_a_day = 1, apply = true }}\n"
    settings_path(made.root).write_text(line)
    (tmp := made.root.parent / "list.csv").write_text("student,handed_in\nanna,2001-01-01 10:00\n")
    merge(made.root, release, read_roster(tmp))
    merge(made.root, release, read_roster(tmp))
    assert rows(made) == [
        ("ben", "2", "5", "Exercise 2 · The scale: 2 to 5", "points by hand"),
        ("anna", "2", "1.66", "", "the rule for late submissions"),
    ]
