"""What the grader asks the kernel has one answer, and reading the source accuses nobody honest."""

import hashlib

import nbformat
import pytest

from conftest import ASSIGNMENTS, stored, with_cell
from grading import tampering


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_given_cells_are_no_sign(name):
    release = stored("exercises", name)
    assert tampering.suspicious_code(stored("solutions", name), release) == []


@pytest.mark.parametrize(
    "code",
    [
        "import course_checks.judge.engine",
        "from course_checks.exercises.single_head.scaled_scores import scaled_scores",
        "from importlib import import_module\nimport_module('course_checks.judge')",
        "import os\nseed = os.environ['COURSE_SEED']",
    ],
)
def test_source_shows_these(exercise, code):
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
        "import course_checks\nimport course_checks as mine",
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


def test_what_the_kernel_noted_counts_where_it_is_signed_and_fresh():
    text = repr(("7", [(3, "calls sys._getframe"), (9, "all was replaced")], [(4, "leaks", 6.0)]))
    answer = repr(hashlib.sha256(f"key{text}".encode()).hexdigest() + text)
    signs = ["calls sys._getframe in cell 2", "all was replaced"]
    assert tampering.read_noted("key", "7", answer, {3: 2}) == (signs, {(4, "leaks", 6.0)})
    silent = (["the kernel does not answer the grader's questions"], set())
    assert tampering.read_noted("another", "7", answer, {}) == silent
    assert tampering.read_noted("key", "8", answer, {}) == silent
    for nothing in ("", "3", "'{}'", repr("0" * 64 + "[1]"), answer.replace("leaks", "lacks")):
        assert tampering.read_noted("key", "7", nothing, {}) == silent


def test_notebook_that_is_no_python_is_no_sign(exercise):
    notebook = with_cell(exercise, "def unfinished(:\n    torch.allclose =")
    assert tampering.suspicious_code(notebook, exercise) == []
    assert tampering.suspicious_code(nbformat.v4.new_notebook(), exercise) == []
