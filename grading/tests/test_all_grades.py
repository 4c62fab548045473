"""One table of all assignments, both of a pair, and who is held back; nothing is run here."""

import csv
import zipfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from made_results import MadeClass

from conftest import TOPIC
from grading import __main__ as program
from grading import release as release_module
from grading.all_grades import write_all_grades
from grading.late import local, path_of, read_held_back, read_rule
from grading.report import merge
from grading.roster import FEEDBACK, GRADES, read_roster
from grading.submissions import find_submissions
from grading.tables import write_table


def rows(path):
    with path.open(newline="") as file:
        return list(csv.reader(file))


def test_a_line_for_each_student_and_a_column_for_each_assignment(tmp_path):
    head = ["student", "check_a", "check_b", "score", "max_score", "review", "by_hand"]
    first = [["Anna Ahn_11", "3", "4", "7", "8", "", ""], ["Bert Bo_12", "1", "", "1", "8", "", ""]]
    first += [[f"Cleo_{number}", "1", "1", "2", "8", "", ""] for number in (13, 14)]
    late = [["Anna Ahn_57", "5", "6", "11", "12", "", "", "", "1", "2", "9"]]
    for name, columns, lines in (
        ("01_first", head, first),
        ("02_second", [*head, "handed_in", "late_days", "late_points", "total"], late),
    ):
        (tmp_path / name).mkdir()
        write_table(tmp_path / name / "scores.csv", columns, lines)
    assert rows(write_all_grades(tmp_path)) == [
        ["student", "01_first", "02_second", "total"],
        ["Anna Ahn", "7", "9", "16"],
        ["Bert Bo", "", "", "0"],  # a person has still to grade one of the answers
        *([f"Cleo_{number}", "2", "", "2"] for number in (13, 14)),  # two of one name
    ]


@pytest.fixture
def made(tmp_path, release):
    made = MadeClass(tmp_path / TOPIC, release)
    for student in ("anna", "bert"):
        made.add(student, {"scaled_scores": "x = 1"}, {"scaled_scores": 2})
    return made


def test_who_is_held_back_gets_nothing_yet(made, release, tmp_path, capfd):
    path_of(made.root).write_text('hold_back = ["Bert"]\n')
    (tmp_path / "class.csv").write_text("student\nanna\nbert\ncleo\n")
    program._report(made.root, release, "", read_roster(tmp_path / "class.csv"))
    said = capfd.readouterr().out
    assert "held back, and in neither of the two: Bert" in said
    assert "1 of the roster handed in nothing, 0 are not in it" in said
    assert "points another run changed" not in said  # there is no such table
    assert [row[0] for row in rows(made.root / GRADES)] == ["student", "anna", "cleo"]
    with zipfile.ZipFile(made.root / FEEDBACK) as archive:
        assert archive.namelist() == ["anna/feedback.html"]
    path_of(made.root).write_text("hold_back = 3\n")
    with pytest.raises(ValueError, match="hold_back should be names"):
        read_held_back(path_of(made.root))


def test_points_by_hand_for_one_of_a_pair_are_the_others_too(made, release):
    path_of(made.root).write_text(f'{TOPIC} = {{ pairs = [["anna", "bert"]] }}\n')
    by_hand = made.root.parent / f"{TOPIC}_by_hand.csv"
    by_hand.write_text("student,exercise,points,comment\nanna,scaled_scores,5,well done\n")
    results = {result.student: result for result in merge(made.root, release)}
    assert [results[name].score for name in ("anna", "bert")] == [5, 5]
    assert results["bert"].comments == {"check_scaled_scores": "well done"}
    by_hand.write_text(by_hand.read_text() + "bert,scaled_scores,3,\n")
    results = {result.student: result for result in merge(made.root, release)}
    assert [results[name].score for name in ("anna", "bert")] == [5, 3]


def test_a_mistyped_partner_is_asked_for(tmp_path):
    for name in ("Chloé Kim", "David Bo"):
        (tmp_path / f"{name}_1{len(name)}_assignsubmission_file_").mkdir()
    with pytest.raises(ValueError, match="is David Bo meant by Davd Bo"):
        find_submissions(tmp_path, [["Chloé Kim", "Davd Bo"]])
    alone = find_submissions(tmp_path, [["Chloé Kim", "Ewa Nowak"]])
    assert "Ewa Nowak" in alone.students  # who handed in nothing, and has a partner's file


def test_times_with_a_zone_are_converted(tmp_path):
    due = datetime(2026, 11, 20, 23, 59, tzinfo=timezone(timedelta(hours=9)))
    assert local(due) == due.astimezone().replace(tzinfo=None)
    assert local(due.replace(tzinfo=None)) == due.replace(tzinfo=None)
    (tmp_path / "settings.toml").write_text(f"{TOPIC} = {{ due = {due.isoformat()} }}\n")
    assert read_rule(tmp_path / "settings.toml", TOPIC).due == local(due)


def test_an_assignment_without_an_address_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(release_module, "make_release", None)  # it does not come to that
    (tmp_path / "address.txt").write_text(f"{release_module.UNPUBLISHED}\n")
    with pytest.raises(ValueError, match="make publish ADDRESS="):
        release_module.write_zip(TOPIC, Path(tmp_path, "class.zip"), tmp_path)
    assert not (tmp_path / "class.zip").exists()
