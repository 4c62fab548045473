"""What a submission asks for and does not find: packages, a GPU, what it defines too late.

A cell that stops for want of one goes on behind the statement that failed, so that what else it
defines is there to be judged; what needs the thing that is missing fails, and is named.
"""

import ast
import re
from collections import defaultdict

from nbformat import NotebookNode

from grading.cells import defined, given_by, python_tree
from grading.mistakes import mistakes_of

PACKAGE = re.compile(r"No module named '(\w+)|cannot import name '\w+' from '(\w+)")
GPU = re.compile(
    "CUDA enabled|NVIDIA driver|No CUDA GPUs|a CUDA device but|not linked with support for"
)
UNDEFINED = re.compile(r"name '(\w+)' is not defined")
A_GPU = "a GPU"
AT_MOST = 30  # statements of one cell
HERE = (
    "is not there where this was graded, and the rest was judged without it: look at the notebook, "
    "or install it there and delete the student's folder of results"
)


def asked_for(text: str) -> list[str]:
    """What an error's text says is missing."""
    packages = [one or other for one, other in PACKAGE.findall(text)]
    return packages + [A_GPU] * bool(GPU.search(text))


def lacking(notebook: NotebookNode) -> list[str]:
    """What a graded notebook asked for and did not find, with the numbers of the cells.

    Only where points were lost: what was tried beside right answers cost nothing.
    """
    wrong = mistakes_of(notebook)
    cells: dict[str, list[int]] = defaultdict(list)
    late: list[str] = []
    for number, cell in enumerate(notebook.cells if wrong else [], 1):
        shown = [str(output.get("evalue", "")) for output in cell.get("outputs", [])]
        if told := wrong.get(cell.metadata.get("nbgrader", {}).get("grade_id")):
            shown.append(told.sentence)
            for name in UNDEFINED.findall(told.sentence):
                below = enumerate(notebook.cells[number:], number + 1)
                code = ((n, one.source) for n, one in below if one.cell_type == "code")
                if at := next((n for n, source in code if name in defined(source, True)), 0):
                    late.append(f"{name}, asked for in cell {number}, is defined in cell {at}")
        for name in dict.fromkeys(asked_for("\n".join(shown))):
            cells[name].append(number)
    return late + [
        f"{name}, asked for in cell {', '.join(map(str, where))}, {HERE}"
        for name, where in sorted(cells.items())
    ]


def rest_of(cell: NotebookNode, lost: set[str]) -> str:
    """What follows the statement at which a cell stopped because something is missing here; or "".

    Names that it would have given are added to ``lost``: what needs them is left out in its turn.
    """
    stops = [output for output in cell.outputs if output.output_type == "error"]
    tree = python_tree(cell.source)
    if not stops or tree is None:
        return ""
    undefined = UNDEFINED.match(stops[-1].evalue)
    is_lost = undefined is not None and undefined[1] in lost
    plain = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(map(str, stops[-1].traceback)))
    line = re.search(r"Cell In\[\d+\], line (\d+)", plain)
    if line is None or not (is_lost or asked_for(stops[-1].evalue)):
        return ""
    at = int(line[1])
    failed = next((node for node in tree.body if node.lineno <= at <= _end(node)), None)
    if failed is None:
        return ""
    missing = set(asked_for(stops[-1].evalue))
    kept: list[ast.stmt] = []  # what stands on the same line, and is not missing
    if isinstance(failed, ast.Import) and len(failed.names) > 1:
        there = [one for one in failed.names if one.name.partition(".")[0] not in missing]
        kept += [ast.Import([one]) for one in there if len(there) < len(failed.names)]
        failed.names = [one for one in failed.names if one not in there] or failed.names
    lost |= _names_of(failed)
    following = tree.body[tree.body.index(failed) + 1 :]
    end = _end(failed)
    while following and following[0].lineno == end:
        kept.append(following.pop(0))
        end = _end(kept[-1])
    # IPython leaves out empty lines above the first statement.
    above = "pass" + "\n" * (end - 1) if end > 1 else ""
    lines = ["; ".join(map(ast.unparse, kept)) or "pass", *cell.source.split("\n")[end:]]
    return above + "\n".join(lines) if kept or "".join(lines[1:]).strip() else ""


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
