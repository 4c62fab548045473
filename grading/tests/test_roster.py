"""The class list of a learning platform, and what goes back to it; nothing is run here."""

import csv
import io
import os
import zipfile
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from made_results import MadeClass, rows

from conftest import TOPIC
from grading.platforms import student_in
from grading.report import merge
from grading.results import Graded, Judged, write_result
from grading.roster import (
    FEEDBACK,
    GRADES,
    STUDENTS,
    other_maxima,
    read_roster,
    write_roster_tables,
)
from grading.submissions import entries_in_inbox, find_submissions, write_inbox

MOODLE = """Identifier,Full name,Email address,Status,Grade,Maximum Grade
Participant 101,Anna Ahn,anna@x.org,Submitted,,28
Participant 102,Bert Bo,bert@x.org,No submission,,28
Participant 103,Anna Ahn,other@x.org,Submitted,,28
"""
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,02_single_head (77),Quiz 1 (78)
    Points Possible,,,,,28,10
"Ahn, Anna",501,s1,anna,A,,7
"Bo, Bert",502,s2,bert,A,,8
"""
PLAIN = "student,group\nanna,red\nbert,blue\n"


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("Anna Ahn_101_assignsubmission_file_", "Anna Ahn_101"),
        ("Anna Ahn_101_assignsubmission_file_02_single_head", "Anna Ahn_101"),
        ("Bo_Bert Jr_102_assignsubmission_onlinetext_", "Bo_Bert Jr_102"),
        ("ahnanna_501_9001_02_single_head", "ahnanna_501"),
        ("ahnanna_LATE_501_9001_02_single_head-1", "ahnanna_501"),
        ("02_single_head", "02_single_head"),
        ("anna_2_3_final", "anna_2_3_final"),
        ("anna", "anna"),
    ],
)
def test_a_download_tells_whose_it_is(name, student):
    assert student_in(name) == student


def graded(root, student, score, *, waits=False):
    by_hand = {"words": "because"} if waits else {}
    points = {"check": [score, 28.0]}
    result = Judged(student, TOPIC, "key", 0, True, points, [], 1.0, 1.0, by_hand)
    write_result(root / "students" / student, Graded(result, "{}", f"<p>{student}</p>"))
    return result


def roster_of(tmp_path, text):
    path = tmp_path / "roster.csv"
    path.write_text("\ufeff" + text, encoding="utf-8")
    return read_roster(path)


def hand_in(tmp_path, *names):
    inbox = tmp_path / "inbox"
    for name in names:
        path = inbox / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    write_inbox(tmp_path / "out", find_submissions(inbox))
    return tmp_path / "out"


def test_moodle_from_download_to_upload(tmp_path):
    roster = roster_of(tmp_path, MOODLE)
    entry = "Anna Ahn_103_assignsubmission_file_"
    out = hand_in(tmp_path, f"{entry}/x_y.ipynb", "Anna Ahn_101_assignsubmission_file_a_b.ipynb")
    results = [graded(out, "Anna Ahn_101", 20.5), graded(out, "Anna Ahn_103", 7.0)]
    entries = entries_in_inbox(out)
    assert write_roster_tables(out, roster, TOPIC, results, entries) == (1, 0)
    back = rows(out / GRADES)
    assert [row["Grade"] for row in back] == ["20.5", "", "7"]
    assert [row["Email address"] for row in back] == ["anna@x.org", "bert@x.org", "other@x.org"]
    assert [row["remark"] for row in rows(out / STUDENTS)] == ["", "handed in nothing", ""]
    with zipfile.ZipFile(out / FEEDBACK) as archive:
        assert set(archive.namelist()) == {
            "Anna Ahn_101_assignsubmission_file_/feedback.html",
            "Anna Ahn_103_assignsubmission_file_/feedback.html",
        }
        assert archive.read(f"{entry}/feedback.html") == b"<p>Anna Ahn_103</p>"


def test_canvas_from_download_to_upload(tmp_path):
    roster = roster_of(tmp_path, CANVAS)
    out = hand_in(tmp_path, "ahnanna_LATE_501_9001_02_single_head.ipynb", "guest.ipynb")
    results = [graded(out, "ahnanna_501", 20.0), graded(out, "guest", 3.0)]
    missing, strangers = write_roster_tables(out, roster, TOPIC, results, entries_in_inbox(out))
    assert (missing, strangers) == (1, 1)
    possible, anna, bert = rows(out / GRADES)
    assert possible["02_single_head (77)"] == "28" and anna["02_single_head (77)"] == "20"
    assert bert["02_single_head (77)"] == "" and "Quiz 1 (78)" not in anna
    assert [row["submission"] for row in rows(out / STUDENTS)] == ["ahnanna_501", "", "guest"]
    with zipfile.ZipFile(out / FEEDBACK) as archive:
        assert archive.namelist() == ["ahnanna_LATE_501_9001_02_single_head.html"]


def test_a_plain_list_gets_a_column_and_keeps_its_own(tmp_path):
    roster = roster_of(tmp_path, PLAIN)
    out = hand_in(tmp_path, "Anna.ipynb", "bert/b.ipynb")
    results = [graded(out, "Anna", 20.0), graded(out, "bert", 28.0, waits=True)]
    assert write_roster_tables(out, roster, TOPIC, results, entries_in_inbox(out)) == (0, 0)
    assert rows(out / GRADES) == [
        {"student": "anna", "group": "red", "score": "20"},
        {"student": "bert", "group": "blue", "score": ""},  # a person has to grade an answer
    ]


def test_another_maximum_of_the_platform_is_told(tmp_path):
    for text in (MOODLE, CANVAS):
        roster = roster_of(tmp_path, text)
        assert other_maxima(roster, TOPIC, 28.0) == []
        assert other_maxima(roster, TOPIC, 30.0) == ["28"]
    decimals = roster_of(tmp_path, MOODLE.replace(",28", ',"28,00"'))
    assert other_maxima(decimals, TOPIC, 28.0) == []
    scale = roster_of(tmp_path, MOODLE.replace(",28", ",Pass"))
    assert other_maxima(scale, TOPIC, 28.0) == ["Pass"]
    assert other_maxima(roster_of(tmp_path, PLAIN), TOPIC, 28.0) == []


def test_a_name_that_two_have_decides_nothing(tmp_path):
    roster = roster_of(tmp_path, MOODLE)
    out = hand_in(tmp_path, "Anna Ahn.ipynb")
    found = write_roster_tables(out, roster, TOPIC, [graded(out, "Anna Ahn", 9.0)], {})
    assert found == (3, 1)
    assert [row["Grade"] for row in rows(out / GRADES)] == ["", "", ""]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,mail\nanna,a@x.org\n", "must have a column 'student'"),
        ("student\nanna\nAnna\n", "names anna more than once"),
        ("student\nChlo\u00e9\nChloe\u0301\n", "names chlo\u00e9 more than once"),
        ("", "it has none"),
    ],
)
def test_a_roster_that_cannot_be_used_is_refused_before_anything_is_graded(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        roster_of(tmp_path, text)
    with pytest.raises(ValueError, match="is not a file"):
        read_roster(tmp_path / "none.csv")


DUE = datetime(2026, 11, 20, 23, 59)
# By place in a class of thirty: who hands in nothing, and how many hours who is late.
MISSING, LATE = (4, 19), {7: 5, 12: 30, 23: 80}


def moodle_class():
    """What "Download all submissions" gives, with the time of each upload, and the worksheet."""
    packed, text = io.BytesIO(), io.StringIO()
    table = csv.writer(text)
    columns = ["Identifier", "Full name", "Status", "Grade", "Maximum Grade"]
    table.writerow([*columns, "Last modified (submission)", "Feedback comments"])
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(30):
            when = DUE + timedelta(hours=LATE.get(number, -1 - number))
            name = ("Chloé O'Neil", "José van der Berg", "Mia Bo")[number % 3]
            row = [f"Participant {4100 + number}", name]
            if number in MISSING:
                table.writerow([*row, "No submission", "", "28.00", "-", ""])
                continue
            shown = f"{when:%A, %d %B %Y, %I:%M %p}"
            table.writerow([*row, "Submitted for grading", "", "28.00", shown, ""])
            path = f"{name}_{4100 + number}_assignsubmission_file_/{TOPIC}.ipynb"
            archive.writestr(zipfile.ZipInfo(path, when.timetuple()[:6]), "{}")
    return packed.getvalue(), text.getvalue()


def test_thirty_from_moodles_zip_to_the_upload(tmp_path, release):
    """Names, times and the two tables of a whole class; test_run and others run submissions."""
    packed, (content, worksheet) = tmp_path / "submissions.zip", moodle_class()
    packed.write_bytes(content)
    with pytest.raises(ValueError, match="unpack it into a folder"):
        find_submissions(packed)
    with zipfile.ZipFile(packed) as archive:
        for about in archive.infolist():  # as unzip does, with the times
            path = Path(archive.extract(about, tmp_path / "in"))
            time = datetime(*about.date_time).timestamp()
            os.utime(path, (time, time))
    inbox = find_submissions(tmp_path / "in")
    out = tmp_path / "out"
    out.mkdir()
    made = MadeClass(out, release)
    for number, student in enumerate(inbox.students):
        made.add(student, earned={"single_head": number % 7})
    write_inbox(out, inbox)
    (tmp_path / "settings.toml").write_text(f"{TOPIC} = {{ due = {DUE:%Y-%m-%dT%H:%M:%S} }}\n")
    roster = roster_of(tmp_path, worksheet)
    by_file, results = _judged(out, None, release), _judged(out, roster, release)
    # The files say what the worksheet says.
    assert [result.late.days for result in by_file.values()] == [
        result.late.days for result in results.values()
    ]
    days = {name.rpartition("_")[2]: result.late.days for name, result in results.items()}
    late = {f"{4100 + number}": -(-hours // 24) for number, hours in LATE.items()}
    assert {number: late_days for number, late_days in days.items() if late_days} == late
    entries = entries_in_inbox(out)
    assert write_roster_tables(out, roster, TOPIC, [*results.values()], entries) == (2, 0)
    back, sent = rows(out / GRADES), list(csv.DictReader(io.StringIO(worksheet)))
    for row, was in zip(back, sent, strict=True):
        assert row | {"Grade": ""} == was  # all else goes back as it came
        assert (row["Grade"] == "") == (was["Status"] == "No submission")
    with zipfile.ZipFile(out / FEEDBACK) as archive:
        assert len(archive.namelist()) == 28


def _judged(out, roster, release):
    return {result.student: result for result in merge(out, release, roster)}
