"""What a submission asks for and does not find: packages, files, a GPU, what it defines too late.

A cell that stops goes on behind the statement that failed, so that what else it defines is there to
be judged; what needs the thing that is missing fails, and is named.
"""

import ast
import builtins
import re
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from course_checks.notebook.cells import defined, given_by, imported, imports_of, python_tree
from course_checks.notebook.mistakes import STOPPED, mistakes_of

PACKAGE = re.compile(
    r"No module named '(\w+)|cannot import name '\w+' from '(\w+)|"
    r"module '[\w.]+' has no attribute '(\w+)'|'(\w+)' is not a recognised GUI|"
    r"Cannot load backend '(\w+)'"
)
ENDS_A_CELL = ("KeyboardInterrupt", "CellTimeoutError", "SystemExit")
FILE = re.compile(r"No such file or directory: '([^']+)'")
GPU = re.compile(
    "CUDA enabled|NVIDIA driver|No CUDA GPUs|a CUDA device but|not linked with support for"
)
UNDEFINED = re.compile(r"name '(\w+)' is not defined")
A_GPU = "a GPU"
AT_MOST = 30  # statements of one cell
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
BUILTINS = {name for name in vars(builtins) if not name.startswith("_")}
HERE = (
    "is not there where this was graded, and the rest was judged without it: look at the notebook, "
    "or put it there and delete the student's folder of results"
)


def asked_for(text: str) -> list[str]:
    """What an error's text says is missing."""
    packages = ["".join(names) for names in PACKAGE.findall(text)]
    return packages + FILE.findall(text) + [A_GPU] * bool(GPU.search(text))


@dataclass(frozen=True)
class Failed:
    """A statement that stopped in the cell of that number: why, and the names it did not give."""

    cell: int
    why: str
    names: frozenset[str]


def lacking(notebook: NotebookNode, failed: list[Failed]) -> list[str]:
    """What a graded notebook asked for and did not find, with the numbers of the cells.

    Only where points were lost: what was tried beside right answers cost nothing.
    """
    wrong = mistakes_of(notebook)
    cells: dict[str, list[int]] = defaultdict(list)
    for number, cell in enumerate(notebook.cells if wrong else [], 1):
        shown = [str(output.get("evalue", "")) for output in cell.get("outputs", [])]
        if mistake := wrong.get(cell.metadata.get("nbgrader", {}).get("grade_id")):
            shown.append(mistake.sentence)
        for name in dict.fromkeys(asked_for("\n".join(shown))):
            cells[name].append(number)
    return names_not_there(notebook, failed) + [
        f"{name}, asked for in cell {', '.join(map(str, where))}, {HERE}"
        for name, where in sorted(cells.items())
    ]


def names_not_there(notebook: NotebookNode, failed: list[Failed]) -> list[str]:
    """The names that checks ended for want of, and why each was not there.

    And those of Python or an import that an answer reads, and another cell gave something else.
    """
    wrong, imports = mistakes_of(notebook), imports_of(notebook)
    lines, answer = [], ""
    others: dict[str, int] = {}  # such names, with the cell
    for number, cell in enumerate(notebook.cells, 1):
        about = cell.metadata.get("nbgrader", {})
        if about.get("solution"):
            answer = cell.source
        elif cell.cell_type == "code" and not about.get("grade"):
            others |= dict.fromkeys(_names_taken(cell.source, imports), number)
        if mistake := wrong.get(about.get("grade_id")):
            own = [about["grade_id"].removeprefix("check_")]
            names = own if mistake.sentence.startswith(STOPPED) else []
            for name in UNDEFINED.findall(mistake.sentence) or names:
                cause = _cause(name, notebook, failed)
                lines.append(f"{name}, asked for in cell {number}, {cause}")
            for name in sorted(_names_read(answer) & others.keys()):
                where = f"is something else since cell {others[name]}"
                lines.append(f"{name}, asked for in cell {number}, {where}")
    return lines


def _names_taken(source: str, imports: dict[str, str]) -> set[str]:
    """The names of Python, or of ``imports``, to which a cell gives something else."""
    tree, taken = python_tree(source), set()
    for node in tree.body if tree else []:
        match node:
            case ast.ImportFrom(module, [ast.alias("*")]):
                taken |= BUILTINS & {*dir(sys.modules.get(module or ""))}
            case ast.Import() | ast.ImportFrom():
                taken |= BUILTINS & _names_of(node)
            case ast.FunctionDef() | ast.ClassDef():
                taken |= {node.name} & (BUILTINS | imports.keys())
            case _:
                taken |= _names_of(node) & (BUILTINS | imports.keys())
    return taken


def _names_read(source: str) -> set[str]:
    """The names that a cell reads and does not give to something itself."""
    nodes = [*ast.walk(python_tree(source) or ast.Module([], []))]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    own = {node.arg for node in nodes if isinstance(node, ast.arg)}
    own |= {name.id for name in names if not isinstance(name.ctx, ast.Load)}
    return {name.id for name in names} - own


def _cause(name: str, notebook: NotebookNode, failed: list[Failed]) -> str:
    """Why a name is not there where it is asked for: the first of the statements that stopped."""
    cause = None
    for failure in reversed(failed):  # what stopped for want of a name did so behind its cause
        if name in failure.names:
            cause, wanted = failure, UNDEFINED.search(failure.why)
            name = wanted[1] if wanted else name
    if cause:
        return f"is not there, since cell {cause.cell} stopped: {cause.why}"
    unread = ""
    for number, cell in enumerate(notebook.cells, 1):
        if cell.cell_type != "code":
            continue
        if name in defined(cell.source, True) | imported(cell.source):
            return f"is defined in cell {number}"
        if python_tree(cell.source) is None and re.search(rf"\b{name}\b", cell.source):
            unread = f"stands in cell {number}, which Python {PYTHON} cannot read"
    return unread or "is defined nowhere"


def go_on_behind(
    cell: NotebookNode, number: int, run: Callable[[NotebookNode], None], given: dict[str, str]
) -> list[Failed]:
    """Run what stands behind each statement that stopped; returned is what failed.

    The outputs are added to the cell's. Names that the course gives are put back: ``given`` are its
    imports, by name.
    """
    last, failures = cell, []
    for _ in range(AT_MOST):
        rest, failed = rest_of(last, number)
        failures += [failed] if failed else []
        if not rest:
            break
        last = new_code_cell(rest)
        run(last)
        cell.outputs += last.outputs
    names = {name for failed in failures for name in failed.names}
    if back := [given[name] for name in sorted(names & given.keys())]:
        tries = (f"try:\n    {statement}\nexcept ImportError:\n    pass" for statement in back)
        run(new_code_cell("\n".join(tries)))
    return failures


def rest_of(cell: NotebookNode, number: int) -> tuple[str, Failed | None]:
    """What follows the statement at which cell ``number`` stopped, or ""; and what failed."""
    stops = [output for output in cell.outputs if output.output_type == "error"]
    tree = python_tree(cell.source)
    if tree is None or (stops and stops[-1].ename in ENDS_A_CELL):
        return "", None
    if stops:
        plain = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(map(str, stops[-1].traceback)))
        line = re.search(r"Cell In\[\d+\], line (\d+)", plain)
        at, why = int(line[1]) if line else 0, f"{stops[-1].ename}: {stops[-1].evalue}"
    else:
        at, why = _refused_magic(cell)
    stopped = next((node for node in tree.body if _start(node) <= at <= _end(node)), None)
    if stopped is None:
        return "", None
    kept: list[ast.stmt] = []  # what stands on the same line, and did not fail
    if isinstance(stopped, (ast.Import, ast.ImportFrom)) and len(stopped.names) > 1:
        kept += [_import_of(stopped, alias) for alias in stopped.names]  # each by itself
        stopped.names = []
    failed = Failed(number, why.strip().split("\n")[0], frozenset(_names_of(stopped)))
    following = tree.body[tree.body.index(stopped) + 1 :]
    end = _end(stopped)
    while following and following[0].lineno == end:
        kept.append(following.pop(0))
        end = _end(kept[-1])
    # IPython leaves out empty lines above the first statement.
    above = "pass" + "\n" * (end - 1) if end > 1 else ""
    lines = ["; ".join(map(ast.unparse, kept)) or "pass", *cell.source.split("\n")[end:]]
    return above + "\n".join(lines) if kept or "".join(lines[1:]).strip() else "", failed


def _import_of(statement: ast.Import | ast.ImportFrom, name: ast.alias) -> ast.stmt:
    if isinstance(statement, ast.Import):
        return ast.Import([name])
    return ast.ImportFrom(statement.module, [name], statement.level)


def _refused_magic(cell: NotebookNode) -> tuple[int, str]:
    """The line of a magic that IPython refused, which is no error of Python, and what it said."""
    text = "".join(out.get("text", "") for out in cell.outputs if out.get("name") == "stderr")
    refusals = re.findall(r"UsageError: .*", text)
    if not refusals:
        return 0, ""
    named = re.search(r"%(\w+)", refusals[-1])
    wanted = "%" + (named[1] if named else "")
    lines = enumerate(cell.source.split("\n"), 1)
    return next((n for n, line in lines if line.strip().startswith(wanted)), 0), refusals[-1]


def _start(node: ast.stmt) -> int:
    return min([node.lineno, *(above.lineno for above in getattr(node, "decorator_list", ()))])


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _names_of(statement: ast.stmt) -> set[str]:
    """The names that a statement gives to something."""
    names = set(given_by(statement))
    for node in ast.walk(statement):
        if isinstance(node, ast.alias):
            names.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names
