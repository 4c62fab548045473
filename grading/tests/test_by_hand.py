"""Points and comments that people give; no submission is run here."""

import shutil

import nbformat
import pytest
from made_results import MadeClass, about_cell
from made_results import rows as rows_of
from made_results import rows_by as rows
from nbgrader.api import Gradebook

from conftest import TOPIC, happenings
from grading.by_hand import path_of
from grading.class_page import write_class_page
from grading.release import make_release
from grading.report import TO_GRADE, merge
from grading.roster import GRADES, read_roster, write_roster_tables
from tools.notebooks.notebook_files import ROOT

HEAD = "student,exercise,points,comment\n"


@pytest.fixture
def root(tmp_path):
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


@pytest.fixture
def made(root, release):
    made = MadeClass(root, release)
    made.add("Anna Ahn_101", earned={"scaled_scores": 2, "single_head": 6})
    made.add("Bert Bo_102", earned={"scaled_scores": 6}, review=["tampering suspected: x"])
    made.add("Anna Ahn_103")
    return made


def write(root, text, encoding="utf-8"):
    path_of(root).write_text(HEAD + text, encoding=encoding)


def page(root, student):
    return (root / "students" / student / "feedback.html").read_text(encoding="utf-8")


def test_points_and_comments_reach_every_table_and_leave_the_results_alone(root, made, release):
    merge(root, release)
    result = root / "students" / "Bert Bo_102" / "result.json"
    before = result.read_bytes()
    write(root, 'Bert Bo,Exercise 2,"4,5",Show your <steps>.\nAnna Ahn_101,scaled_scores,,Close!\n')
    kept = path_of(root).read_bytes()
    (bert,) = [result for result in merge(root, release) if result.student == "Bert Bo_102"]
    table = rows(root / "scores.csv")
    assert table["Bert Bo_102"]["check_scaled_scores"] == table["Bert Bo_102"]["score"] == "4.5"
    assert table["Bert Bo_102"]["by_hand"] == "check_scaled_scores"
    assert table["Anna Ahn_101"]["score"] == "8" and table["Anna Ahn_101"]["by_hand"] == ""
    assert "4.5 of 6, by hand" in page(root, "Bert Bo_102")
    assert "Show your &lt;steps&gt;." in page(root, "Bert Bo_102")
    assert "Close!" in page(root, "Anna Ahn_101") and "by hand" not in page(root, "Anna Ahn_101")
    assert page(root, "Anna Ahn_103") == "<p>the machine's page</p>"
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "attention") as gradebook:
        assert gradebook.find_submission(TOPIC, "Bert Bo_102").score == 4.5
        comment = gradebook.find_comment("scaled_scores", TOPIC, TOPIC, "Bert Bo_102")
        assert comment.comment == "Show your <steps>."
    assert bert.score == 4.5 and bert.review == ["tampering suspected: x"]
    assert result.read_bytes() == before and path_of(root).read_bytes() == kept

    path_of(root).unlink()  # taken back: the machine's points are there again
    merge(root, release)
    assert rows(root / "scores.csv")["Bert Bo_102"]["score"] == "6"
    assert "by hand" not in page(root, "Bert Bo_102") and "steps" not in page(root, "Bert Bo_102")


def test_the_page_with_comments_runs_nothing(root, made, release, browser):
    write(root, "Bert Bo,2,1,<script>document.title='RAN'</script><img src=//x.org/a>\n")
    merge(root, release)
    assert happenings(browser, root / "students" / "Bert Bo_102" / "feedback.html") == []


def test_a_line_without_an_exercise_clears_the_review_and_others_keep_it(root, made, release):
    merge(root, release)
    write(root, "Bert Bo,1,3,\n")
    merge(root, release)
    assert list(rows(root / "review.csv")) == ["Bert Bo_102"]
    for _ in range(2):
        write(root, "Bert Bo,1,3,\nBert Bo,,,We talked about it.\n")
        merge(root, release)
        assert rows(root / "review.csv") == {} and "We talked" in page(root, "Bert Bo_102")
    write(root, "Bert Bo,1,3,\nBert Bo,,,We talked about it on Monday.\n")
    merge(root, release)
    assert rows(root / "review.csv") == {}
    # Another submission, of which nobody has seen anything, is there to be looked at.
    made.add("Bert Bo_102", {"project_qkv": "new"}, review=["tampering suspected: x"])
    merge(root, release)
    reasons = rows(root / "review.csv")["Bert Bo_102"]["reasons"]
    assert reasons.startswith("tampering suspected: x; set aside")


def test_points_for_an_earlier_answer_are_set_aside_and_said(root, made, release):
    made.add("Bert Bo_102", {"scaled_scores": "return 1"}, {"scaled_scores": 1})
    merge(root, release)
    write(root, "Bert Bo,2,5,A good idea.\n")
    # Handed in after the person looked, and graded in the run that first reads the line.
    made.add("Bert Bo_102", {"scaled_scores": "return 2"}, {"scaled_scores": 2})
    for _ in range(2):
        merge(root, release)
        assert rows(root / "scores.csv")["Bert Bo_102"]["score"] == "2"
        assert (
            "(5 points) is about an earlier" in rows(root / "review.csv")["Bert Bo_102"]["reasons"]
        )
        assert "good idea" not in page(root, "Bert Bo_102")
    write(root, "Bert Bo,2,5,A good idea still.\n")
    merge(root, release)
    assert rows(root / "scores.csv")["Bert Bo_102"]["score"] == "5"
    # Another answer to another exercise does not matter.
    answers = {"scaled_scores": "return 2", "single_head": "return 3"}
    made.add("Bert Bo_102", answers, {"scaled_scores": 2, "single_head": 1})
    merge(root, release)
    assert rows(root / "scores.csv")["Bert Bo_102"]["score"] == "6"


def test_a_line_that_was_taken_out_and_put_back_is_about_the_same_answer(root, made, release):
    line = "Bert Bo,2,5,Better.\n"
    for text in (line, ""):
        write(root, text)
        merge(root, release)
    made.add("Bert Bo_102", {"scaled_scores": "another answer"})
    for _ in range(2):
        merge(root, release)  # with the new answer, and no line
    write(root, line)
    merge(root, release)
    assert rows(root / "scores.csv")["Bert Bo_102"]["score"] == "0"
    assert "set aside" in rows(root / "review.csv")["Bert Bo_102"]["reasons"]
    write(root, line.replace("Better", "Better still"))
    merge(root, release)
    assert rows(root / "scores.csv")["Bert Bo_102"]["score"] == "5"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Brt Bo,2,5,\n", r"line 2: there is no submission of 'Brt Bo'"),
        ("Bert Bo_10,2,5,\n", r"is Bert Bo_102 meant\?"),
        ("Anna Ahn,2,5,\n", "may be Anna Ahn_101 or Anna Ahn_103: write which"),
        ("Bert Bo,9,5,\n", "no exercise '9'; there are Exercise 1, Exercise 2"),
        ("Bert Bo,2,6.5,\n", "a number from 0 to 6, got '6.5'"),
        ("Bert Bo,2,nan,\n", "a number from 0 to 6, got 'nan'"),
        ("Bert Bo,2,good,\n", "a number from 0 to 6, got 'good'"),
        ("Bert Bo,,5,\n", r"points \(5\) need an exercise"),
        ("Bert Bo,2,5,\nBert Bo_102,Exercise 2,4,\n", "line 3: line 2 is about the same"),
    ],
)
def test_what_cannot_be_meant_is_said_with_its_line_and_nothing_is_written(
    root, made, release, text, message
):
    write(root, text)
    with pytest.raises(ValueError, match=message):
        merge(root, release)
    assert not (root / "scores.csv").exists()


def test_all_problems_are_told_at_once(root, made, release):
    write(root, "Brt,2,5,\nBert Bo,2,60,\nBert Bo,1,1,\n")
    with pytest.raises(ValueError, match="(?s)line 2: .*\nline 3: "):
        merge(root, release)
    path_of(root).write_text("name,points\nBert,3\n")
    with pytest.raises(ValueError, match="no column student and no column exercise"):
        merge(root, release)
    write(root, "Bert Bo,2,5,sch\xf6n\n", "latin-1")
    with pytest.raises(ValueError, match="save it as 'CSV UTF-8'"):
        merge(root, release)


def test_a_spreadsheets_semicolons_and_empty_lines_are_read(root, made, release):
    text = 'student;exercise;points;comment\nBert Bo;2;"3,5";so\n;;;\nNobody;2;;\n'
    path_of(root).write_text(text, encoding="utf-8-sig")
    merge(root, release)
    assert rows(root / "scores.csv")["Bert Bo_102"]["score"] == "3.5"


@pytest.mark.parametrize("written", ["Chlo\u00e9 Li", "Chlo\u00e9 Li_104", "104"])
def test_a_student_is_found_by_accents_of_any_kind_and_by_the_number(root, made, release, written):
    made.add("Chloe\u0301 Li_104")  # as a Mac writes the name of a folder
    write(root, f"{written},2,5,\n")
    merge(root, release)
    assert rows(root / "scores.csv")["Chloe\u0301 Li_104"]["score"] == "5"


def test_two_whose_names_look_the_same_are_told_apart_or_asked_for(root, made, release):
    made.add("Chlo\u00e9")
    made.add("Chloe\u0301")
    write(root, "Chlo\u00e9,2,5,\n")
    merge(root, release)
    scores = rows(root / "scores.csv")
    assert (scores["Chlo\u00e9"]["score"], scores["Chloe\u0301"]["score"]) == ("5", "0")
    write(root, "CHLO\u00c9,2,5,\n")
    with pytest.raises(ValueError, match="write which"):
        merge(root, release)


def test_a_line_about_somebody_who_is_not_graded_yet_waits(root, made, release):
    (root / "students" / "Bert Bo_102" / "result.json").unlink()
    write(root, "Bert Bo,2,5,\n")
    assert "Bert Bo_102" not in {result.student for result in merge(root, release)}


def test_moodle_gets_points_and_comments_until_they_are_set_aside(root, made, release, tmp_path):
    names = {"check_scaled_scores": "Exercise 2"}
    sheet = tmp_path / "list.csv"
    columns = "Identifier,Full name,Grade,Feedback comments"
    people = "Participant 101,Anna Ahn,,\nParticipant 102,Bert Bo,,mine\n"
    sheet.write_text(f"{columns}\n{people}")

    def uploaded():
        roster = read_roster(sheet)
        write_roster_tables(root, roster, TOPIC, merge(root, release, roster), {}, names)
        return [(row["Grade"], row["Feedback comments"]) for row in rows_of(root / GRADES)]

    assert uploaded() == [("8", ""), ("6", "mine")]
    write(root, "Bert Bo,2,5,Better.\nBert Bo,,,Well done.\n")
    assert uploaded() == [("8", ""), ("5", "Well done.\nExercise 2: Better.")]
    shutil.copy(root / GRADES, sheet)  # uploaded, and downloaded again
    made.add("Bert Bo_102", {"scaled_scores": "another answer"})
    assert uploaded()[1] == ("0", "")


@pytest.mark.parametrize("why", ["there is no notebook: ask for it again", "it took too long"])
def test_points_for_what_no_program_could_read_stand_on_a_page_of_their_own(
    root, made, release, why
):
    made.add("Bert Bo_102", review=[f"could not be graded: {why}"])
    (one,) = [result for result in merge(root, release) if result.student == "Bert Bo_102"]
    asked = [f"hand in {TOPIC}.ipynb itself, with your answers and saved"]
    assert one.told[1:] == (asked if "ask for" in why else [])
    write_class_page(root, release, [one])
    assert rows(root / "mistakes.csv") == {}
    write(root, "Bert Bo,2,5,You showed it to me.\nBert Bo,,,We talked.\n")
    results = [result for result in merge(root, release) if result.student == "Bert Bo_102"]
    write_class_page(root, release, results)
    assert rows(root / "mistakes.csv") == {}
    text = page(root, "Bert Bo_102")
    assert "5 of 6, by hand" in text and "You showed it to me." in text
    assert "a person gave the points" in text
    assert "could not be graded" not in text and "NotImplementedError" not in text


def test_a_score_from_nbgraders_formgrader_reaches_the_table_and_the_file_wins(root, made, release):
    merge(root, release)
    where = ("check_single_head", TOPIC, TOPIC, "Anna Ahn_103")
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "attention") as gradebook:
        gradebook.find_grade(*where).manual_score = 4.5
        gradebook.db.commit()
    for _ in range(2):  # and stays there
        merge(root, release)
        table = rows(root / "scores.csv")
        assert table["Anna Ahn_103"]["check_single_head"] == table["Anna Ahn_103"]["score"] == "4.5"
        assert table["Bert Bo_102"]["score"] == "6"
        with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "attention") as gradebook:
            assert gradebook.find_submission(TOPIC, "Anna Ahn_103").score == 4.5
    write(root, "Anna Ahn_103,single_head,2,\n")
    merge(root, release)
    assert rows(root / "scores.csv")["Anna Ahn_103"]["score"] == "2"


@pytest.fixture(scope="session")
def essay(tmp_path_factory):
    """The release of an assignment with a check and a question that a person grades."""
    folder = tmp_path_factory.mktemp("essay")
    cells = [
        nbformat.v4.new_code_cell(
            "def double(x):\n    return 2 * x", metadata=about_cell("double", True)
        ),
        nbformat.v4.new_code_cell("double(1)", metadata=about_cell("check_double", False, 3)),
        nbformat.v4.new_markdown_cell("## Why\nBecause.", metadata=about_cell("why", True, 5)),
    ]
    (folder / "solutions" / "99_essay").mkdir(parents=True)
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbformat.write(notebook, folder / "solutions" / "99_essay" / "99_essay.ipynb")
    (folder / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text())
    (folder / "work").mkdir()
    return make_release("99_essay", folder / "work", folder)


def test_an_answer_in_words_waits_for_the_points_of_a_person(root, essay):
    made = MadeClass(root, essay)
    words = {"anna": "- It adds x\nto itself.", "ben": "No idea."}
    for student, text in words.items():
        made.add(student, {"why": text}, {"double": 3})
    made.add("cleo", {}, {"double": 3})  # nothing was written: 0 points without a reader
    merge(root, essay)
    table = rows(root / "scores.csv")
    assert {name: row["why"] for name, row in table.items()} == {"anna": "", "ben": "", "cleo": "0"}
    reasons = {name: row["reasons"] for name, row in rows(root / "review.csv").items()}
    assert reasons == dict.fromkeys(("anna", "ben"), "to be graded by hand: why")
    waiting = rows(root / TO_GRADE)
    assert list(waiting) == ["anna", "ben"] and waiting["ben"]["of"] == "5"

    # The table has the columns of the file: filled in and saved beside the results, it is one.
    text = (root / TO_GRADE).read_text().replace("ben,why,,", "ben,why,1,Try again.")
    path_of(root).write_text(text.replace("anna,why,,", "anna,why,4.5,"))
    merge(root, essay)
    table = rows(root / "scores.csv")
    assert [table[name]["score"] for name in ("anna", "ben", "cleo")] == ["7.5", "4", "3"]
    assert rows(root / "review.csv") == rows(root / TO_GRADE) == {}
    assert "Try again." in page(root, "ben")
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "attention") as gradebook:
        found = [gradebook.find_grade("why", "99_essay", "99_essay", name) for name in table]
        assert [grade.score for grade in found] == [4.5, 1, 0]
        assert not any(grade.needs_manual_grade for grade in found)

    made.add("ben", {"why": "Two x are x and x."}, {"double": 3})
    by_name = {result.student: result for result in merge(root, essay)}
    assert list(by_name["ben"].by_hand) == ["why"] and by_name["anna"].score == 7.5
    assert rows(root / "scores.csv")["ben"]["why"] == ""
    said = rows(root / "review.csv")["ben"]["reasons"]
    assert "(1 points) is about an earlier answer" in said and "to be graded by hand" in said


def test_a_rubric_gives_points_and_sentences_by_name(root, essay):
    made = MadeClass(root, essay)
    for student in ("anna", "ben"):
        made.add(student, {"why": "It adds x to itself."}, {"double": 3})
    path = root.parent / "out_rubric.csv"
    head = "exercise,criterion,points,sentence\n"
    path.write_text(head + "why,reason,3,You say why.\nwhy,example,1,You give one.\n")
    with pytest.raises(ValueError, match="why has 5 points, and its criteria 4"):
        merge(root, essay)
    path.write_text(head + "why,reason,3,You say why.\nwhy,example,2,You give an example.\n")
    merge(root, essay)
    assert rows(root / TO_GRADE)["anna"]["rubric"] == "reason (3) example (2)"
    write(root, "anna,why,reason,Good.\nben,why,none,\n")
    merge(root, essay)
    table = rows(root / "scores.csv")
    assert [table[name]["why"] for name in ("anna", "ben")] == ["3", "0"]
    assert "3 of 3: You say why.\n0 of 2: You give an example.\nGood." in page(root, "anna")
    write(root, "anna,why,reasons,\n")
    with pytest.raises(ValueError, match="points must be a number from 0 to 5, got 'reasons'"):
        merge(root, essay)
