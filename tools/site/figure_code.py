"""Which cells of a lesson only draw; on the site their code is folded, and the figure stands open.

Such a cell shows a picture, more than half of its statements use what draws, and none computes a
softmax, which is what the course teaches. Nothing that it binds is read by a later cell, except by
one that only draws too.
"""

import ast
import dis
import re
from collections.abc import Sequence
from types import CodeType

from nbformat import NotebookNode

from tools.notebooks.cell_code import syntax_tree

FIGURE_CODE = "The code of this figure"
FOLDED = "hide-input"  # myst-nb's tag of a cell whose code is folded, and what it writes
FOLDED_CODE = re.compile(r'<details class="[^"]* above-input">\s*<summary.*?</summary>', re.S)
DRAW = re.compile(r"(matplotlib|seaborn|course_lib\.figures)\b")  # packages
PICTURE = re.compile(r'<img class="course-(drawing|figure)"[^>]*>')


def picture_of(cell: NotebookNode) -> re.Match | None:
    """Return the first picture of the course's that a cell shows; its group 1 is the kind."""
    outputs = cell.get("outputs", [])
    return PICTURE.search("".join(o.get("data", {}).get("text/html", "") for o in outputs))


def drawing_cells(cells: Sequence[NotebookNode]) -> set[str]:
    """Return the ids of the cells that only draw, of a whole notebook's."""
    trees = {cell.id: syntax_tree(cell) for cell in cells if cell.cell_type == "code"}
    imports: list[ast.Import | ast.ImportFrom] = []
    for tree in trees.values():
        imports += [line for line in tree.body if isinstance(line, ast.Import | ast.ImportFrom)]
        tree.body = [line for line in tree.body if line not in imports]
    tools = {
        (name.asname or name.name).partition(".")[0]
        for line in imports
        for name in line.names
        if DRAW.match(getattr(line, "module", name.name))
    }
    found, needed = set(), set[str]()
    for cell in reversed(cells):
        if cell.id not in trees:
            continue
        reads, binds = _names(compile(trees[cell.id], cell.id, "exec"))
        draws = picture_of(cell) and _mostly_draws(trees[cell.id], tools)
        if draws and "softmax(" not in cell.source and not binds & needed:
            found.add(cell.id)
        else:
            needed = (needed - binds) | reads
    return found


def _names(code: CodeType) -> tuple[set[str], set[str]]:
    """The names that code reads before it binds them itself, and those that it binds."""
    reads, binds = set[str](), set[str]()
    for step in dis.get_instructions(code):
        if isinstance(step.argval, CodeType):  # of a function: what it reads of the notebook's
            reads |= _names(step.argval)[0] - binds
        elif step.opname in ("LOAD_NAME", "LOAD_GLOBAL"):
            reads |= {step.argval} - binds
        elif step.opname == "STORE_NAME":
            binds.add(step.argval)
    return reads, binds


def _mostly_draws(tree: ast.Module, tools: set[str]) -> bool:
    """Whether more than half of the statements, headers aside, use a tool or what one has made."""
    made, uses = set(tools), []
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    for statement in sorted(statements, key=lambda node: node.lineno):
        own = [node for node in ast.iter_child_nodes(statement) if not isinstance(node, ast.stmt)]
        names = [n for node in own for n in ast.walk(node) if isinstance(n, ast.Name)]
        draws = any(name.id in made for name in names)
        if draws:
            made |= {name.id for name in names if isinstance(name.ctx, ast.Store)}
        if not hasattr(statement, "body"):
            uses.append(draws)
    return 2 * sum(uses) > len(uses)
