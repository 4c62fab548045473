"""Due dates and late days: shown by the rule, taken off only where it says so."""

import os
import zipfile
from datetime import datetime, timedelta

import pytest
from made_results import MadeClass
from made_results import rows_by as rows
from nbgrader.api import Gradebook

from conftest import TOPIC
from grading.late import Rule, believable, in_a_line, lateness, path_of, read_rule, read_time
from grading.report import merge
from grading.results import Graded, read_result, with_one_check, write_result
from grading.roster import FEEDBACK, GRADES, STUDENTS, read_roster, write_roster_tables
from grading.submissions import entries_in_inbox, find_submissions, times_in_inbox

DUE = datetime(2026, 11, 20, 23, 59)
LONG = "\n".join(f"value_{number} = key * {number}.25 + query" for number in range(9))
RULE = "due = 2026-11-20T23:59:00, percent_a_day = 10, free_days = 1, days_at_most = 4"


@pytest.mark.parametrize(
    ("hours", "days", "off"),
    [(-1, 0, 0), (0, 0, 0), (0.1, 1, 0), (24, 1, 0), (25, 2, 2), (96, 4, 6), (97, 5, 20)],
)
def test_each_day_begun_counts_after_the_free_ones(tmp_path, hours, days, off):
    path = tmp_path / "settings.toml"
    path.write_text(f"{TOPIC} = {{ {RULE} }}\n")
    rule = read_rule(path, TOPIC)
    found = lateness(rule, "anna", "anna.ipynb", 20.0, {}, DUE + timedelta(hours=hours))
    assert (found.days, found.deduction, found.applied) == (days, off, False)
    assert ("not applied" in found.words) == (off > 0)


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("Friday, 20 November 2026, 11:58 PM", datetime(2026, 11, 20, 23, 58)),
        ("Friday, 20 November 2026, 23:58", datetime(2026, 11, 20, 23, 58)),
        ("2026-11-20 23:58", datetime(2026, 11, 20, 23, 58)),
        ("-", None),
        ("", None),
        ("Freitag, 20. November", None),
    ],
)
def test_times_of_rosters_are_read(text, when):
    assert read_time(text) == when


def test_the_roster_wins_over_the_file_and_gives_more_time_to_who_has_it():
    rule = Rule(DUE, percent_a_day=10)
    row = {"handed_in": "2026-11-21 12:00"}
    found = lateness(rule, "anna", "anna.ipynb", 20.0, row, DUE)
    assert (found.days, found.source, found.deduction) == (1, "roster", 2)
    more = row | {"due": "2026-11-22 23:59"}
    assert lateness(rule, "anna", "anna.ipynb", 20.0, more, DUE).days == 0
    assert lateness(rule, "anna", "anna.ipynb", 20.0, {}, None) is None


def test_a_mark_of_canvas_is_shown_without_a_rule_and_is_no_number_of_days():
    name = "ahnanna_LATE_501_9001_02_single_head.ipynb"
    for rule in (None, Rule(DUE, percent_a_day=10)):
        found = lateness(rule, "anna", name, 20.0, {}, DUE - timedelta(days=1))
        assert found.days is None and found.deduction == 0 and "marks" in found.words
    assert lateness(Rule(DUE), "anna", name, 20.0, {}, DUE + timedelta(days=2)).days == 2
    assert lateness(None, "anna", "ahnanna_501_9001_02.ipynb", 20.0, {}, DUE) is None


def test_times_that_unpacking_set_are_not_believed():
    close = {name: DUE + timedelta(seconds=number) for number, name in enumerate("abcd")}
    assert believable(close) == {}
    apart = close | {"e": DUE - timedelta(days=1)}
    assert believable(apart) == apart


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{ percent_a_day = 10 }", "needs at least"),
        ("10", "needs at least"),
        ("{ due = 2026-11-20T23:59:00, percent = 10 }", "has 'percent'; known are due, percent_a"),
        ("{ due = '2026-11-20' }", "due should be a time such as"),
        ("{ due = 2026-11-20T23:59:00, percent_a_day = -1 }", "a number from 0 to 100, got -1"),
        ("{ due = 2026-11-20T23:59:00, free_days = true }", "a number of days, got True"),
        ("{ due = 2026-11-20T23:59:00, apply = 1 }", "true or false, got 1"),
        ("{ due = 2026-11-20T23:59:00, extensions = { anna = 1 } }", "extensions should be names"),
        ("{ pairs = [['anna']] }", "pairs should be pairs of names"),
        ("{ due = ", "is no TOML"),
    ],
)
def test_a_rule_that_cannot_be_meant_is_refused_in_words(tmp_path, line, message):
    path = tmp_path / "settings.toml"
    path.write_text(f"{TOPIC} = {line}\n")
    with pytest.raises(ValueError, match=message):
        read_rule(path, TOPIC)
    path.write_text("other = 1\n")
    assert read_rule(path, TOPIC) is None and read_rule(tmp_path / "none.toml", TOPIC) is None


@pytest.fixture
def made(tmp_path, release):
    (tmp_path / "out").mkdir()
    made = MadeClass(tmp_path / "out", release)
    for student, hours in {"anna": -30, "ben": -2, "cleo": 26}.items():
        path = made.add(student, earned={"scaled_scores": 6})
        time = (DUE + timedelta(hours=hours)).timestamp()
        os.utime(path, (time, time))
    made.write_inbox()
    return made


def test_tables_show_what_the_rule_comes_to_and_take_nothing_off(made, release, tmp_path):
    root = made.root
    merge(root, release)
    assert "total" not in rows(root / "scores.csv")["cleo"]  # without a rule nothing is said
    path_of(root).write_text(f"{TOPIC} = {{ {RULE} }}\n")
    (tmp_path / "list.csv").write_text("student\nanna\nben\ncleo\n")
    roster = read_roster(tmp_path / "list.csv")
    results = merge(root, release, roster)
    table = rows(root / "scores.csv")
    assert table["anna"]["late_days"] == "0" and table["anna"]["total"] == "6"
    cleo = table["cleo"]
    assert cleo["handed_in"] == "2026-11-22 01:59 (file)" and cleo["late_days"] == "2"
    assert cleo["late_points"] == "3.4 (not applied)" and cleo["total"] == cleo["score"] == "6"
    write_roster_tables(root, roster, TOPIC, results, {})
    assert rows(root / GRADES)["cleo"]["score"] == "6"
    assert rows(root / STUDENTS)["cleo"]["remark"] == "2 days late: 3.4 points off (not applied)"
    assert "late" not in (root / "students" / "cleo" / "feedback.html").read_text()
    told = in_a_line(read_rule(path_of(root), TOPIC), [result.late for result in results])
    assert told.startswith("1 came after 2026-11-20 23:59: 3.4 points, not taken off")


def test_a_rule_that_says_so_is_applied_everywhere(made, release, tmp_path):
    root = made.root
    path_of(root).write_text(f"{TOPIC} = {{ {RULE}, apply = true }}\n")
    (tmp_path / "list.csv").write_text("student\nanna\nben\ncleo\n")
    roster = read_roster(tmp_path / "list.csv")
    results = merge(root, release, roster)
    cleo = rows(root / "scores.csv")["cleo"]
    assert (cleo["score"], cleo["late_points"], cleo["total"]) == ("6", "3.4", "2.6")
    write_roster_tables(root, roster, TOPIC, results, {})
    assert rows(root / GRADES)["cleo"]["score"] == "2.6"
    page = (root / "students" / "cleo" / "feedback.html").read_text(encoding="utf-8")
    assert "2 days late: 3.4 points off" in page and "Score: 2.6" in page
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "attention") as gradebook:
        found = gradebook.find_submission(TOPIC, "cleo")
        assert found.late_submission_penalty == pytest.approx(3.4) and found.score == 6


def test_one_student_has_more_time_by_name(made, release):
    more = 'extensions = { "Cleo" = 2026-11-22T23:59:00, "nobody" = 2026-11-22T23:59:00 }'
    path_of(made.root).write_text(f"{TOPIC} = {{ {RULE}, {more} }}\n")
    results = {result.student: result for result in merge(made.root, release)}
    assert results["cleo"].late.days == 0 and results["anna"].late.days == 0
    assert read_rule(path_of(made.root), TOPIC).strangers(results) == ["nobody"]


def test_a_pair_hands_in_once_and_both_get_the_points(tmp_path, release):
    """Graded as one submission of each: the tables, the list and the upload know both."""
    (tmp_path / "settings.toml").write_text(f"{TOPIC} = {{ pairs = [['anna ahn', 'Ben Bo']] }}\n")
    rule = read_rule(tmp_path / "settings.toml", TOPIC)
    folder = tmp_path / "in" / "Anna Ahn_41_assignsubmission_file_"
    folder.mkdir(parents=True)
    (folder / f"{TOPIC}.ipynb").touch()
    inbox = find_submissions(tmp_path / "in", rule.pairs)
    assert inbox.students == {"Anna Ahn_41": [folder], "Ben Bo": [folder]}
    made = MadeClass(tmp_path / "out", release)
    for student in inbox.students:
        made.add(student, {"scaled_scores": LONG}, {"scaled_scores": 6})
    made.entries = inbox.students
    made.write_inbox()
    columns = "Identifier,Full name,Grade\n"
    lines = "Participant 41,Anna Ahn,\nParticipant 42,Ben Bo,\nParticipant 43,Cleo,\n"
    (tmp_path / "list.csv").write_text(columns + lines)
    roster = read_roster(tmp_path / "list.csv")
    results = merge(made.root, release, roster)
    assert rows(made.root / "alike.csv") == {}  # they learned together, and say so
    missing = write_roster_tables(made.root, roster, TOPIC, results, entries_in_inbox(made.root))
    assert missing == (1, 0)
    grades = rows(made.root / GRADES, "Full name")
    assert [grades[name]["Grade"] for name in ("Anna Ahn", "Ben Bo", "Cleo")] == ["6", "6", ""]
    with zipfile.ZipFile(made.root / FEEDBACK) as archive:
        assert sorted(archive.namelist()) == [
            "Anna Ahn_41_assignsubmission_file_/feedback.html",
            "Ben Bo_42_assignsubmission_file_/feedback.html",
        ]


def test_one_exercise_is_judged_again_and_the_others_keep_their_points(tmp_path, release):
    made = MadeClass(tmp_path / "out", release)
    made.add("anna", {"scaled_scores": "x"}, {"scaled_scores": 2, "single_head": 6})
    folder = made.root / "students" / "anna"
    old, again = read_result(folder), MadeClass(tmp_path / "again", release)
    again.add("anna", {"scaled_scores": "x"}, {"scaled_scores": 6, "single_head": 1}, release="2")
    new = tmp_path / "again" / "students" / "anna"
    graded = Graded(read_result(new), (new / "graded.ipynb").read_text(), "a page")
    mixed = with_one_check(folder, graded, "check_scaled_scores")
    changed = {"check_scaled_scores": [6.0, 6.0]}
    assert mixed.result.points == old.points | changed and mixed.result.key != old.key
    write_result(folder, mixed)
    (one,) = merge(made.root, release)
    assert one.score == 12 and "Score: 12" in (folder / "feedback.html").read_text()
    # What was handed in since is graded as a whole.
    made.add("anna", {"scaled_scores": "y"}, {"scaled_scores": 2})
    assert with_one_check(folder, graded, "check_scaled_scores") is graded


def test_the_newest_file_of_a_folder_counts_and_links_do_not(tmp_path, release):
    (tmp_path / "out").mkdir()
    made = MadeClass(tmp_path / "out", release)
    made.add("anna")
    folder = made.inbox / "folder"
    (folder / "deep").mkdir(parents=True)
    for name, hours in {"a.ipynb": 0, "deep/b.ipynb": 5}.items():
        (folder / name).touch()
        time = (DUE + timedelta(hours=hours)).timestamp()
        os.utime(folder / name, (time, time))
    (tmp_path / "now").touch()
    (folder / "link").symlink_to(tmp_path / "now")
    made.entries["anna"] = [folder]
    made.write_inbox()
    assert times_in_inbox(made.root) == {"anna": DUE + timedelta(hours=5)}
