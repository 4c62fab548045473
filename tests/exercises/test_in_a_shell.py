"""`python -m course_checks NAME FILE.py`: the verdict, and no line of a solution."""

import ast
import inspect
import json
import random
import subprocess
import sys
import textwrap

import pytest

from course_checks import ALL
from course_checks.__main__ import main
from tools.checks.shipped_answers import read_answers
from tools.notebooks.notebook_files import ROOT

SHORT = 12  # letters of a line that anybody would write, such as `return x`


def drawn_wrong_answers(count):
    """One wrong answer to each of several exercises, whose points are not full."""
    wrong = {}
    for answer in random.Random(0).sample(answers := read_answers(), len(answers)):
        if not answer.is_right:
            wrong.setdefault(answer.exercise, answer)
    return list(wrong.values())[:count]


def lines_of_solutions(name):
    """The lines of the answer in the notebook and of the check's reference, without docstrings."""
    exercise = ALL[name].exercise
    sources = [textwrap.dedent(inspect.getsource(exercise.reference))]
    for path in (ROOT / "solutions").glob(f"{exercise.lesson}_*/*.ipynb"):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            if cell["metadata"].get("nbgrader", {}).get("grade_id") == name:
                sources.append("".join(cell["source"]))
    lines = {
        line.strip() for source in sources for line in ast.unparse(ast.parse(source)).split("\n")
    }
    lines |= {line.strip() for source in sources for line in source.split("\n")}
    return {line for line in lines if len(line) > SHORT and not line.startswith(("def ", "class "))}


def test_of_twenty_wrong_answers_it_prints_no_line_of_a_solution(tmp_path, capsys):
    answers = drawn_wrong_answers(20)
    assert len(answers) == 20
    for answer in answers:
        path = tmp_path / f"{answer.exercise}.py"
        path.write_text(answer.as_handed_in(), encoding="utf-8")
        assert main([answer.exercise, str(path)]) == 1, answer
        printed = capsys.readouterr().out
        assert f"{answer.exercise}: " in printed
        lines = lines_of_solutions(answer.exercise)
        assert lines, answer.exercise
        shown = [line for line in lines if line in printed]
        assert not shown, (answer.exercise, shown)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "NAME FILE.py"),
        (["stable_softmax"], "NAME FILE.py"),
        (["stable_sofmax", "{file}"], "Did you mean stable_softmax"),
        (["single_head", "{file}"], "defines no single_head, but stable_softmax."),
        (["stable_softmax", "{stops}"], "line 2 stopped: ZeroDivisionError"),
        (["stable_softmax", "{ends}"], "stopped: SystemExit"),
        (["stable_softmax", "nowhere.py"], "No such file"),
    ],
)
def test_what_cannot_be_judged_is_told(tmp_path, capsys, arguments, words):
    files = {
        "file": "import torch\n\n\ndef stable_softmax(scores):\n    return scores.softmax(-1)\n",
        "stops": "\n1 / 0\n",
        "ends": "import sys\nsys.exit()\n",
    }
    paths = {name: tmp_path / f"{name}.py" for name in files}
    for name, text in files.items():
        paths[name].write_text(text)
    assert main([argument.format(**paths) for argument in arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_right_answer_in_a_shell(tmp_path):
    path = tmp_path / "answer.py"
    path.write_text("def stable_softmax(scores):\n    return scores.softmax(-1)\n")
    command = [sys.executable, "-m", "course_checks", "stable_softmax", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 0 and "stable_softmax: 6 of 6 points" in run.stdout, run
