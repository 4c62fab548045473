"""Honest submissions, right and wrong, with the habits that students have."""

import ast
import random

from nbformat.v4 import new_code_cell, new_markdown_cell

HABITS = [
    "%matplotlib inline\n!ls\n%timeit -n 1 -r 1 sum(range(10))",
    "import warnings\nwarnings.warn('careful')\nimport sys; print('on stderr', file=sys.stderr)",
    "torch.manual_seed(3)\ntorch.set_printoptions(precision=3)\n"
    "import enum, logging, typing, collections\nlogging.warning('careful', stack_info=True)\n"
    "%time Pair = collections.namedtuple('Pair', 'a b')\nenum.Enum('Kind', 'A B')\n"
    "typing.NamedTuple('Point', [('x', int)]); typing.TypeVar('T')\n"
    "import cProfile\nwith cProfile.Profile(): torch.ones(3)",
    "list = [1, 2]\nmax = checks = 3\nid = dict = vars = type = str = None\n"
    "import os, socket; os.environ.clear(); socket.setdefaulttimeout(0.001)",
    "import numpy as np, random, os, time\nnp.random.seed(0); random.seed(0)\nprint(os.getcwd())",
    "plt.rcParams['figure.figsize'] = (3, 2)\nplt.plot([1, 2]); plt.show()",
    "class Head(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self.w = torch.nn.Linear(4, 2)\n"
    "    def __repr__(self):\n        return 'a head'\n\nHead()",
    "torch.backends.cudnn.deterministic = True\ntorch.set_grad_enabled(False)",
    "def helper(x):\n    try:\n        return x @ x.T\n"
    "    except Exception as error:\n        print(error)\n        raise\n\n"
    "helper(torch.ones(2, 2))",
    "import seaborn, scipy  # which Colab has, and the sandbox has not\n1 / 0",
    "plt.style.use('ggplot')\nfrom tqdm import tqdm\nfor _ in tqdm(range(3)): pass",
    "def unfinished(:\n    pass",
    "from course_lib import scaled_dot_product_attention\nhelp(scaled_dot_product_attention)",
    "x = torch.randn(2, 3, requires_grad=True)\nx.sum().backward()\nx.grad.data = x.grad * 2",
    "import inspect, sys\nfrom IPython.core.magic import register_line_magic\n"
    "def log(text): print(sys._getframe(1).f_code.co_name, inspect.stack()[1].function, text)\n"
    "def caller(): log(inspect.currentframe().f_lineno)\ncaller()\n"
    "@register_line_magic\ndef shout(line): print(line.upper())\n%shout careful",
    "import importlib, course_lib; importlib.reload(course_lib)\n"
    "%load_ext autoreload\n%autoreload 2\nfrom IPython.display import display, HTML\n"
    "display(HTML('<b>notes</b>'))",
]
CLASS = len(HABITS) // 2


def honest(solution, number):
    """Change ``solution`` in place: every second one is right, the others have mistakes.

    Each has two of the habits; CLASS submissions have them all.
    """
    draw = random.Random(number)
    for cell in list(solution.cells):
        if cell.metadata.get("nbgrader", {}).get("solution"):
            if number % 2:
                cell.source = mistaken(cell.source, draw)
            if draw.random() < 0.2:
                at = solution.cells.index(cell) + 1
                solution.cells.insert(at, new_markdown_cell("*Why does this work?*"))
    imports = next(i for i, cell in enumerate(solution.cells) if "course_checks as" in cell.source)
    habits = HABITS[number % CLASS], HABITS[CLASS + number % CLASS]
    solution.cells[imports + 1 : imports + 1] = map(new_code_cell, habits)
    return solution


LACKS = [  # each a cell, and none may cost more than what it asks for
    "quit()",
    "import os\nos._exit(0)",
    "for _ in range(20):\n    print('x' * 200_000)",
    "while True:\n    print('y' * 20_000)",
]


def lacking(solution):
    """Change ``solution``: it asks for what is not there, and ends the kernel by every road."""
    imports = next(cell for cell in solution.cells if "course_checks as" in cell.source)
    at = solution.cells.index(imports)
    imports.source = (
        "import not_here as nh, collections\nnh.set_theme()\n\n"
        f"{imports.source}\nx = torch.ones(2, device='cuda'); after = collections.Counter()\n"
        "nh.plot(after)\nfrom neither_here import rearrange"
    )
    solution.cells[at + 1 : at + 1] = map(new_code_cell, LACKS)
    _cell(solution, "scaled_scores").source = (
        "@torch.compile\n" + _cell(solution, "scaled_scores").source
    )
    answer = _cell(solution, "single_head")
    answer.source = "import other_one\n\n" + answer.source.replace("return", "x.cuda()\n    return")
    return solution


def scattered(solution, exercise):
    """Change ``solution``: every answer stands where it does not belong."""
    stubs = {
        name: _cell(exercise, name).source for name in ("scaled_scores", "single_head", "MyHead")
    }
    first, second = (_cell(solution, name) for name in ("project_qkv", "scaled_scores"))
    first.source += "\n\n\n" + second.source  # all in one cell
    last, copied = new_code_cell(_cell(solution, "single_head").source), _cell(solution, "MyHead")
    copy = new_code_cell(copied.source)
    solution.cells.insert(solution.cells.index(copied), copy)
    solution.cells.append(last)
    for name, stub in stubs.items():
        _cell(solution, name).source = stub
    _cell(solution, "is_equivariant").cell_type = "markdown"
    for name in ("softmax_jacobian", "check_softmax_jacobian"):
        cell = _cell(solution, name)
        cell.source = cell.source.replace("softmax_jacobian(weights", "mine(weights")
        cell.source = cell.source.replace("(softmax_jacobian)", "(mine)")
    return solution


def _cell(notebook, grade_id):
    of_exercises = (cell for cell in notebook.cells if "nbgrader" in cell.metadata)
    return next(cell for cell in of_exercises if cell.metadata.nbgrader.grade_id == grade_id)


def mistaken(source, draw):
    """The source with one operator, number or call changed, as by a slip."""
    tree = ast.parse(source)
    slips = [slip for node in ast.walk(tree) for slip in _slips(node)]
    draw.choice(slips)()
    return ast.unparse(ast.fix_missing_locations(tree))


def _slips(node):
    def put(name, value):
        return lambda: setattr(node, name, value)

    match node:
        case ast.BinOp(op=ast.Div()):
            return [put("op", ast.Mult())]
        case ast.BinOp(op=ast.Sub()):
            return [put("op", ast.Add())]
        case ast.BinOp(op=ast.MatMult(), left=left, right=right):
            return [lambda: (put("left", right)(), put("right", left)())]
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return [put("value", value + 1)]
        case ast.Return(value=value):
            return [put("value", ast.Constant(None))]
        case ast.Compare(ops=[ast.Eq()]):
            return [put("ops", [ast.NotEq()])]
    return []
