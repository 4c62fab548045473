"""The answers that stand beside all exercises: each is what it says of itself.

`make bench-checks` judges them with more seeds, and counts.
"""

import pytest
import torch

from exercises.sources import EXERCISES, TOPIC_OF, judge_of
from tools.checks.shipped_answers import FOLDER, UnreadableAnswer, faults, read_file, verdicts_on

SEED = 0


def file_of(name):
    return FOLDER / TOPIC_OF[name] / f"{name}_answers.py"


def what_is_wrong(name, answers):
    """A line for each answer that is not what it says of itself."""
    lines = []
    for answer in answers:
        found = faults(answer, verdicts_on(answer, [judge_of(name, SEED)]))
        if not answer.must_be_named:
            del found["not named"]
        for kind, verdicts in found.items():
            lines += [f"{answer.name}: {kind} [{one.diagnosis}] {one.text}" for one in verdicts]
    return lines


@pytest.mark.parametrize("name", EXERCISES)
def test_shipped_answers_are_what_they_say_of_themselves(name):
    answers = read_file(file_of(name))
    assert sum(answer.is_right for answer in answers) >= 2
    assert sum(bool(answer.names) for answer in answers) >= 6
    wrong = what_is_wrong(name, answers)
    assert not wrong, "\n".join(wrong)


def test_every_file_belongs_to_an_exercise():
    assert sorted(FOLDER.glob("*/*_answers.py")) == sorted(map(file_of, EXERCISES))


# --- answers that are not what they say ------------------------------------------------------

HEAD = '"""Answers."""\n\nimport torch\n\n\n'
RIGHT = "def one(scores):\n    return torch.softmax(scores, dim=-1)\n"
OVER_QUERIES = "def other(scores):\n    return torch.softmax(scores, dim=0)\n"

DOCTORED = [
    ("# wrong: nothing\n" + RIGHT, "one: not caught"),
    ("# right\n" + OVER_QUERIES, "other: refused"),
    ("# wrong: dim\n# named: naive\n" + OVER_QUERIES, "other: named wrongly"),
    ("# wrong: dim\n" + OVER_QUERIES, "other: named wrongly"),
    (
        "# wrong: 0.01 too much\n# named: naive\n" + RIGHT.replace("-1)", "-1) + 0.01"),
        "one: not named",
    ),
]


@pytest.fixture
def answers_in(tmp_path):
    def read(text):
        path = tmp_path / "soft_lookup" / "stable_softmax_answers.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(HEAD + text, encoding="utf-8")
        return read_file(path)

    return read


@pytest.mark.parametrize(("text", "said"), DOCTORED)
def test_a_false_label_is_noticed(answers_in, text, said):
    good = "\n\n# wrong: dim\n# named: wrong_dimension\n" + OVER_QUERIES.replace("other", "good")
    (line,) = what_is_wrong("stable_softmax", answers_in(text + good))
    assert line.startswith(said)
    allowed = answers_in(text.replace("# named", "# not named yet") + good)
    assert bool(what_is_wrong("stable_softmax", allowed)) == (said != "one: not named")


UNREADABLE = [
    (RIGHT, "no line says '# right' or"),
    (RIGHT + "\n\n# right\n" + RIGHT, "stands above the first line"),
    ("# right\n" + RIGHT + "\n\n# right\n" + RIGHT, "two answers are called one"),
    ("# right\n" + RIGHT + "\n\n# right\nTWO = 2\n", "line 11: no function follows"),
    ("# right\n" + RIGHT + "\n\n" + OVER_QUERIES, "line 7: other does not use one"),
    ("# right\n" + RIGHT + "\n\n# Right\n" + OVER_QUERIES, "line 11: .* The line is '# Right'"),
    ("# right\n# named: naive\n" + RIGHT, "line 7: .* The line is '# named: naive'"),
    ("# wrong: dim\n# named: a, b\n" + OVER_QUERIES, "line 7: .* The line is '# named: a, b'"),
    ("# wrong: dim\n\n# named: naive\n" + OVER_QUERIES, "line 8: .* The line is '# named: naive'"),
    ("# right\n" + RIGHT.replace("one", "sum"), "line 6: sum is an import, or Python's own"),
    ("# right\n" + RIGHT.replace("one", "torch"), "line 6: torch is an import, or Python's own"),
]


@pytest.mark.parametrize(("text", "said"), UNREADABLE, ids=[said for _, said in UNREADABLE])
def test_a_file_in_another_form_is_refused(answers_in, text, said):
    with pytest.raises(UnreadableAnswer, match=said):
        answers_in(text)


def test_each_answer_has_a_space_and_line_numbers_of_its_own(answers_in):
    first = "# right\nTWO = 2\n\n\ndef helper(x):\n    return x\n\n\n"
    first += RIGHT.replace("scores, dim", "helper(scores), dim")
    second = "# wrong: stops\ndef stops(scores):\n    return helper(scores) * TWO\n"
    right, wrong = (one.function() for one in answers_in(first + "\n\n" + second))
    assert "TWO" in right.__globals__ and "TWO" not in wrong.__globals__
    result = judge_of("stable_softmax", SEED)(wrong)
    assert result.code == "line 20: return helper(scores) * TWO"


def test_an_answer_may_call_itself_by_the_exercises_name(answers_in):
    text = (
        "# right\ndef row_by_row(scores):\n"
        "    if scores.dim() > 1:\n"
        "        return torch.stack([stable_softmax(row) for row in scores])\n"
        "    return scores.softmax(dim=-1)\n"
    )
    (answer,) = answers_in(text)
    scores = torch.randn(2, 3, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(answer.function()(scores), scores.softmax(dim=-1))


def test_an_answer_as_a_student_hands_it_in(answers_in):
    first = "# wrong: stops\ndef stops(scores):\n    return math.e\n\n\n"
    second = (
        "# right\n"
        "def helper(scores):\n    return scores.softmax(dim=-1)  # over the keys\n\n\n"
        "@torch.no_grad()\ndef turned(scores):\n    return helper(scores)\n"
    )
    text = answers_in("import math\n\n\n" + first + second)[1].as_handed_in()
    assert text == (
        "import torch\n\n"
        "def helper(scores):\n    return scores.softmax(dim=-1)  # over the keys\n\n"
        "@torch.no_grad()\ndef stable_softmax(scores):\n    return helper(scores)\n"
    )
