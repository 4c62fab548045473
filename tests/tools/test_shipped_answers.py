"""The reader of answers: what is not what it says of itself is noticed, and so is another form."""

import pytest

import course_checks as checks
from tools.checks.exercise_sources import EXERCISES, TOPIC_OF, judge_of
from tools.checks.shipped_answers import FOLDER, UnreadableAnswer, answers_to, read_file
from tools.checks.what_must_hold import what_is_untrue


def test_every_file_belongs_to_an_exercise():
    files = {FOLDER / TOPIC_OF[name] / f"{name}_answers.py" for name in EXERCISES}
    others = {path for path in FOLDER.glob("*/*_answers.py") if path not in files}
    names = {path.stem.removesuffix("_answers") for path in others}
    assert names - {"shared"} == set(checks.LACKING)  # whose package is not here


SEED = 0
HEAD = '"""Answers."""\n\nimport torch\n\n\n'
RIGHT = "def softmax_rows(scores):\n    return torch.softmax(scores, dim=-1)\n"
OVER_QUERIES = "def softmax_columns(scores):\n    return torch.softmax(scores, dim=0)\n"

SHIFTED = RIGHT.replace("-1)", "-1) + 0.01")

DOCTORED = [
    ("# wrong: nothing\n" + RIGHT, "not caught"),
    ("# right\n" + OVER_QUERIES, "refused"),
    ("# right\n# says: keys\n" + RIGHT, "other words"),
    ("# wrong: dim\n# named: naive\n" + OVER_QUERIES, "named wrongly"),
    ("# wrong: dim\n" + OVER_QUERIES, "named wrongly"),
    ("# wrong: 0.01 too much\n# named: naive\n" + SHIFTED, "not named"),
    ("# wrong: 0.01 too much\n# points: 3\n" + SHIFTED, "other points"),
    ("# wrong: 0.01 too much\n# says: 0.01\n# says: keys\n" + SHIFTED, "other words"),
]


@pytest.fixture
def answers_in(tmp_path):
    def read(text):
        path = tmp_path / "soft_lookup" / "stable_softmax_answers.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(HEAD + text, encoding="utf-8")
        return read_file(path)

    return read


@pytest.mark.parametrize(("text", "fault"), DOCTORED)
def test_a_false_label_is_noticed(answers_in, text, fault):
    (answer,) = answers_in(text)
    assert what_is_untrue(answer, SEED).startswith(fault)
    (answer,) = answers_in(text.replace("# named", "# not named yet"))
    assert bool(what_is_untrue(answer, SEED)) == (fault != "not named")


EDITS = "# right\n" + RIGHT + "\n\n# wrong: dim\n"
UNREADABLE = [
    (RIGHT, "no line says '# right' or"),
    (OVER_QUERIES + "\n\n# right\n" + RIGHT, "line 6: nothing uses softmax_columns"),
    ("# right\n" + RIGHT + "\n\n# right\n" + RIGHT, "two answers are called softmax_rows"),
    ("# right\n" + RIGHT + "\n\n# right\nTWO = 2\n", "line 11: no function follows"),
    ("# right\n" + RIGHT + "\n\n" + OVER_QUERIES, "line 7: softmax_columns does not use soft"),
    ("# right\n" + RIGHT + "\n\n# Right\n" + OVER_QUERIES, "line 11: .* The line is '# Right'"),
    ("# right\n# named: naive\n" + RIGHT, "line 7: .* The line is '# named: naive'"),
    ("# wrong: dim\n# named: a, b\n" + OVER_QUERIES, "line 7: .* The line is '# named: a, b'"),
    ("# wrong: dim\n\n# named: naive\n" + OVER_QUERIES, "line 8: .* The line is '# named: naive'"),
    ("# wrong: dim\n# points: few\n" + OVER_QUERIES, "line 7: .* The line is '# points: few'"),
    ("# right\n" + RIGHT + "# Other inputs\n", "line 9: .* The line is '# Other inputs'"),
    (EDITS + "# other = softmax_rows: dim=-9 -> dim=0\n", "has 'dim=-9'"),
    (EDITS + "# other = nobody: dim -> dim=0\n", "edits nobody, and"),
    ("# right\n" + RIGHT.replace("softmax_rows", "sum"), "line 6: sum stands on top, or is"),
    ("# right\n" + RIGHT.replace("softmax_rows", "torch"), "line 6: torch stands on top, or is"),
]


@pytest.mark.parametrize(("text", "message"), UNREADABLE)
def test_a_file_in_another_form_is_refused(answers_in, text, message):
    with pytest.raises(UnreadableAnswer, match=message):
        answers_in(text)


def test_each_answer_has_a_space_and_line_numbers_of_its_own(answers_in):
    first = "# right\nTWO = 2\n\n\ndef helper(x):\n    return x\n\n\n"
    first += RIGHT.replace("scores, dim", "helper(scores), dim")
    second = "# wrong: stops\ndef stops(scores):\n    return helper(scores) * TWO\n"
    right, wrong = (answer.function() for answer in answers_in(first + "\n\n" + second))
    assert "TWO" in right.__globals__ and "TWO" not in wrong.__globals__
    assert judge_of("stable_softmax", SEED)(wrong).code == "line 20: return helper(scores) * TWO"


def test_an_answer_as_a_student_hands_it_in(answers_in):
    top = "import math\n\n\ndef row(x):\n    return x.softmax(dim=-1)\n\n\n"
    top += "def weigh(x):\n    return row(x)\n\n\ndef stop():\n    return math.e\n\n\n"
    first = "# wrong: stops\ndef stops(scores):\n    return stop()\n\n\n"
    second = (
        "# right\n"
        "def helper(scores):\n    return weigh(scores)  # over the keys\n\n\n"
        "@torch.no_grad()\ndef turned(scores):\n    return helper(scores)\n\n\n"
    )
    third = "# wrong: stops\nlater = lambda scores: stop()\n"
    stops, turned, later = answers_in(top + first + second + third)
    helpers = "def row(x):\n    return x.softmax(dim=-1)\n\ndef weigh(x):\n    return row(x)\n\n"
    assert turned.as_handed_in() == (
        "import torch\n\n" + helpers + "def helper(scores):\n    return weigh(scores)"
        "  # over the keys\n\n@torch.no_grad()\ndef stable_softmax(scores):\n"
        "    return helper(scores)\n"
    )
    assert later.as_handed_in() == (
        "import math\n\ndef stop():\n    return math.e\n\nstable_softmax = lambda scores: stop()\n"
    )


def test_an_answer_is_a_students_code_in_whatever_folder_it_stands():
    """Its lines are shown, and its helpers are looked into; those of the course are not."""
    answers = {answer.name: answer for answer in answers_to("attend_all")}
    result = judge_of("attend_all", SEED)(answers["calls_the_loop"].function())
    assert "loops in Python in attend_one_by_one, which it calls" in str(result)
