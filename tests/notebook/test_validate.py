"""A notebook is run as in grading, goes on behind whatever fails, and what is missing is said."""

import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_output

from course_checks.__main__ import main
from course_checks.notebook.lacking import go_on_behind
from course_checks.notebook.validate import validate
from tools.notebooks.notebook_files import ROOT, read_notebook, write_notebook

TOPIC = "02_single_head"
GIVEN = {"math": "import math", "json": "import json", "mean": "from statistics import mean"}
IMPORTS = "import json\nimport math\nfrom statistics import mean"
# Each stands above, between or around the imports of a cell; none may cost a name.
ACCIDENTS = [
    "import matplotlib\nmatplotlib.use('no_such_backend')",
    "%matplotlib no_such_backend",
    "import os\nos.chdir('/content/drive/MyDrive')",
    "import matplotlib.pyplot as plt\nplt.style.use('seaborn-whitegrid')",
    "assert False, 'needs a GPU'",
    *("import not_here as nh, math", "from not_here import something"),
    "from statistics import mean, no_such_name",
    "import os; os.environ['NOT_SET']",
    *("open('my_notes.txt').read()", "open('C:\\\\Users\\\\anna\\\\data.csv')"),
    *("1 / 0", "{}['key']", "undefined_name", "print(undefined_name); x = 3"),
    *("raise RuntimeError('stop here')", "%no_such_magic", "input('Name')", "import not_here"),
    "import numpy as np\nnp.product([1, 2])",
    "import numpy as np\nnp.float(3)",
    "with open('nowhere') as file:\n    import json",
    "if True:\n    import json\n    import not_here\n    import math",
    "for name in ('a', 'b'):\n    globals()[name + 'c']",
    "try:\n    import not_here\nfinally:\n    pass",
    "class Broken(undefined_name):\n    pass",
    "def helper(x):\n    return x.no_such\nhelper(3)",
    "@undefined_name\ndef helper(x):\n    return x",
    "from google.colab import drive\ndrive.mount('/content/drive')",
    "import sys\nsys.path.remove('/content/course')",
]


@pytest.fixture
def shell():
    """What runs a cell in this process, as a kernel does."""
    InteractiveShell.clear_instance()
    yield InteractiveShell.instance()
    InteractiveShell.clear_instance()


def run_in(shell, capfd):
    def run(cell: NotebookNode) -> None:
        done = shell.run_cell(cell.source, store_history=True)
        problem = done.error_before_exec or done.error_in_exec
        if problem is None or type(problem).__name__ == "UsageError":
            text = capfd.readouterr()
            cell.outputs.append(new_output("stream", name="stderr", text=text.err + text.out))
            return
        lines = shell.InteractiveTB.structured_traceback(
            type(problem), problem, problem.__traceback__, tb_offset=1
        )
        name = type(problem).__name__
        cell.outputs.append(new_output("error", ename=name, evalue=str(problem), traceback=lines))

    return run


@pytest.mark.parametrize("place", ["above", "between"])
@pytest.mark.parametrize("accident", ACCIDENTS)
def test_an_accident_among_the_imports_costs_no_name(shell, capfd, accident, place):
    first, *others = IMPORTS.split("\n")
    parts = [accident, IMPORTS] if place == "above" else [first, accident, *others]
    cell, run = new_code_cell("\n".join(parts)), run_in(shell, capfd)
    run(cell)
    failed = go_on_behind(cell, 7, run, GIVEN)
    assert set(GIVEN) <= shell.user_ns.keys()
    assert failed and all(stop.cell == 7 and stop.why for stop in failed)


def test_a_cell_that_was_interrupted_does_not_go_on():
    stopped = new_output("error", ename="KeyboardInterrupt", evalue="", traceback=["line 1"])
    cell, seen = new_code_cell("while True: pass\nx = 3", outputs=[stopped]), []
    assert go_on_behind(cell, 1, seen.append, {}) == [] and seen == []


@pytest.fixture
def notebook(tmp_path):
    """A function that changes the cells of the solution, by what they define, and validates it."""

    def validated(changes):
        solution = read_notebook(ROOT / "solutions" / TOPIC / f"{TOPIC}.ipynb")
        solution.cells = [cell for cell in solution.cells if ".ready(" not in cell.source]
        for cell in solution.cells:
            for words, change in changes.items():
                if words in cell.source and cell.cell_type == "code":
                    cell.source = change(cell.source)
        solution.cells.append(new_code_cell("def my_root(x):\n    return x**0.5"))
        write_notebook(tmp_path / "mine.ipynb", solution)
        return tmp_path / "mine.ipynb"

    return validated


def test_what_grading_would_find_is_said(notebook):
    path = notebook(
        {
            "course_checks as": lambda source: f"import os\nos.chdir('/nowhere')\n{source}",
            "def scaled_scores": lambda source: source.replace("math.sqrt", "my_root"),
            "def single_head": lambda source: "x = 3",
            "def softmax_jacobian": lambda source: source.replace("weights", "my_weights", 1),
            "def is_equivariant": lambda source: source.replace("):", ")", 1),
        }
    )
    lines = validate(path)
    assert "project_qkv: 6 of 6 points" in lines
    assert any(line.startswith("scaled_scores: 0 of 6 points: stops with") for line in lines)
    assert any(line.startswith("cell 3 stopped: FileNotFoundError") for line in lines)
    (late,) = [line for line in lines if line.startswith("my_root, asked for in cell")]
    assert "is defined in cell" in late
    assert any(line.startswith("single_head, asked for") and "nowhere" in line for line in lines)
    (unread,) = [line for line in lines if line.startswith("is_equivariant, asked for in cell")]
    assert "cannot read" in unread
    assert sum(" points in all" in line for line in lines) == 1


def test_the_program_says_what_it_takes(capsys, tmp_path):
    assert main([]) == 2 and "FILE.ipynb" in capsys.readouterr().err
    (tmp_path / "empty.ipynb").write_text("{}")
    assert main([str(tmp_path / "empty.ipynb")]) == 2
    assert "no cells" in capsys.readouterr().err
    write_notebook(tmp_path / "other.ipynb", read_notebook(ROOT / "notebooks" / f"{TOPIC}.ipynb"))
    assert main([str(tmp_path / "nowhere.ipynb")]) == 2
