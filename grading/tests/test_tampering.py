"""What the grader asks the kernel has one answer, and reading the source accuses nobody honest."""

import json

import nbformat
import pytest
from hostile import ANSWERS, CHEATS

from conftest import ASSIGNMENTS, stored, with_cell, with_cheat
from course_lib import checks
from grading import tampering
from tools.notebooks.notebook_files import is_check_cell


@pytest.mark.parametrize("name", checks.ALL)
def test_a_question_has_one_answer(name):
    """Asked of two mistakes; test_marks would not name one that varies."""
    last = len(checks.ALL[name].exercise.mistakes) - 1
    for mistake, seed in ((0, 2), (last, 3)):
        first = tampering._points(name, mistake, seed)
        assert tampering._points(name, mistake, seed) == first < checks.ALL[name].max_points


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_every_check_of_the_notebook_is_asked_for(name, monkeypatch):
    monkeypatch.setattr(tampering, "_points", lambda *_: 1.0)  # the test above asks them
    notebook = stored("exercises", name)
    checked = [cell for cell in notebook.cells if is_check_cell(cell)]
    draw = tampering.draw_questions.__wrapped__
    questions = draw(nbformat.writes(notebook))
    assert len(questions) == 2 * len(checked) > 0
    assert {one[0] for one in questions if one[1] is None} == {one[0] for one in questions}
    assert questions != draw(nbformat.writes(notebook))


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_given_cells_are_no_sign(name):
    release = stored("exercises", name)
    assert tampering.suspicious_code(stored("solutions", name), release) == []


@pytest.mark.parametrize(
    "name", [name for name, (_, sign) in (CHEATS | ANSWERS).items() if not sign]
)
def test_source_shows_the_cheat_where_the_kernel_does_not(exercise, name):
    assert tampering.suspicious_code(with_cheat(exercise, name), exercise)


@pytest.mark.parametrize(
    "code",
    [
        "import course_lib.checks.judge.engine",
        "import sys\nthere = vars(sys.modules['course_lib'])",
        "from sys import modules",
        "from importlib import import_module\nimport_module('.'.join(parts))",
        "checks.scaled_scores.ready.__func__.__globals__",
        "getattr(checks.scaled_scores.ready, '__globals__')",
        "%%timeit -n 1 -r 1\ntorch.allclose = print",
        "%time torch.allclose = print",
        "type(x).__eq__ = lambda *a: True",
        "torch" + ".b" * 900 + " = 1",  # too deep to be read
    ],
)
def test_source_shows_these_too(exercise, code):
    assert tampering.suspicious_code(with_cell(exercise, code), exercise)


@pytest.mark.parametrize(
    "code",
    [
        "%%time\nx = torch.ones(3)",
        "%timeit -n 1 torch.ones(3)",
        "%%html\n<b>checks</b>",
        "%%bash\necho checks",
        "getattr(torch, 'ones')(2)",
        "for name in ('sin', 'cos'):\n    print(getattr(torch, name)(torch.ones(1)))",
        "def f(x):\n    return x\nf.__name__ = 'g'",
        "print('checks', {'check': 1})",
        "from torch import Tensor, nn\nlayer = nn.Linear(2, 2)\nlayer.bias.data = Tensor([1, 2])",
        "import importlib\nimportlib.reload(checks)",
        "import sys\nprint('google.colab' in sys.modules)",
        "import gc, ctypes, socket, inspect\ngc.collect()\ninspect.signature(torch.relu)",
        "exec('x = 1')\neval('x')",
        "match 3:\n    case number:\n        pass",
    ],
)
def test_ordinary_code_is_no_sign(exercise, code):
    assert tampering.suspicious_code(with_cell(exercise, code), exercise) == []


def test_wrong_points_and_missing_answers_are_signs():
    right = checks.scaled_scores.max_points
    questions = [("scaled_scores", None, 3, right)]

    def answer(**changes):
        content = {"objects": {"torch.exp": "1 "}, "whole": True, "hooks": [], "points": [right]}
        content["noted"] = [[3, "calls sys._getframe"]]
        return repr(json.dumps(content | changes))

    assert tampering.compare_probes(answer(), answer(), questions) == []
    assert tampering.compare_probes(answer(), answer(points=[right - 1]), questions) == [
        tampering.WRONG_POINTS
    ]
    assert tampering.compare_probes(answer(), answer(objects={"torch.exp": "2 "}), questions) == [
        "torch.exp was replaced"
    ]
    for silent in ("", "'{}'", "3", repr(json.dumps([1]))):
        assert tampering.compare_probes(answer(), silent, questions)
    cells = {3: "cell 7"}
    signs = tampering.compare_probes(answer(), answer(), questions, cells=cells)
    assert signs == ["cell 7 calls sys._getframe"]
    # What was there before a check, and is gone at the end.
    between = [
        ("check_a", answer(objects={}, whole=False)),
        ("check_b", answer(objects={"torch.exp": "2 "}, whole=False)),
    ]
    assert tampering.compare_probes(answer(), answer(), questions, between) == [
        "torch.exp was replaced before check_b"
    ]
    between = [("check_a", answer(hooks=["a hook"]))]
    assert tampering.compare_probes(answer(), answer(), questions, between) == ["a hook"]
    new = {"torch.exp": "1 ", "torch.Tensor.all": "3 "}
    assert tampering.compare_probes(answer(), answer(objects=new), questions) == [
        "torch.Tensor.all was replaced"
    ]


def test_notebook_that_is_no_python_is_no_sign(exercise):
    notebook = with_cell(exercise, "def unfinished(:\n    torch.allclose =")
    assert tampering.suspicious_code(notebook, exercise) == []
    assert tampering.suspicious_code(nbformat.v4.new_notebook(), exercise) == []
