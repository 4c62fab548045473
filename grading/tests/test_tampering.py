"""What the grader asks the kernel has one answer, and reading the source accuses nobody honest."""

import json

import nbformat
import pytest
from hostile import ANSWERS, CHEATS

from conftest import ASSIGNMENTS, stored, with_cell, with_cheat
from grading import tampering


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
        "print(list(checks.ALL), len(checks.ALL))\n'x' in checks.ALL",
        "for name in checks.ALL:\n    print(checks.ALL[name](globals()[name]).points)",
        "import course_lib.checks\nimport course_lib.checks as mine",
        "import torch.backends.cudnn as cudnn\ncudnn.deterministic = True",
        "import torch._dynamo\ntorch._dynamo.config.suppress_errors = True",
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "InteractiveShell.ast_node_interactivity = 'all'",
        "def f(x):\n    return x\nf.__signature__ = f.__wrapped__ = f.__annotations__ = None",
        "globals()['d_model'] = 3\nfor name in ('a', 'b'):\n    del globals()[name]",
        "import importlib\nimportlib.import_module('math')\n__import__('math').pi",
        "match 3:\n    case number:\n        pass",
    ],
)
def test_ordinary_code_is_no_sign(exercise, code):
    assert tampering.suspicious_code(with_cell(exercise, code), exercise) == []


def test_what_changed_and_missing_answers_are_signs():
    def answer(**changes):
        content = {"objects": {"torch.exp": "1 "}, "whole": True, "hooks": []}
        content["noted"] = [[3, "calls sys._getframe"]]
        return repr(json.dumps(content | changes))

    assert tampering.compare_probes(answer(), answer()) == []
    assert tampering.compare_probes(answer(), answer(objects={"torch.exp": "2 "})) == [
        "torch.exp was replaced"
    ]
    for silent in ("", "'{}'", "3", repr(json.dumps([1]))):
        assert tampering.compare_probes(answer(), silent)
    cells = {3: "cell 7"}
    signs = tampering.compare_probes(answer(), answer(), cells=cells)
    assert signs == ["cell 7 calls sys._getframe"]
    # What was there before a check, and is gone at the end.
    between = [
        ("check_a", answer(objects={}, whole=False)),
        ("check_b", answer(objects={"torch.exp": "2 "}, whole=False)),
    ]
    assert tampering.compare_probes(answer(), answer(), between) == [
        "torch.exp was replaced before check_b"
    ]
    between = [("check_a", answer(hooks=["a hook"]))]
    assert tampering.compare_probes(answer(), answer(), between) == ["a hook"]
    new = {"torch.exp": "1 ", "torch.Tensor.all": "3 "}
    assert tampering.compare_probes(answer(), answer(objects=new)) == [
        "torch.Tensor.all was replaced"
    ]


def test_notebook_that_is_no_python_is_no_sign(exercise):
    notebook = with_cell(exercise, "def unfinished(:\n    torch.allclose =")
    assert tampering.suspicious_code(notebook, exercise) == []
    assert tampering.suspicious_code(nbformat.v4.new_notebook(), exercise) == []
