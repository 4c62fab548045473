"""The cells of a submission, as they are read from any notebook, and what their code defines."""

import ast
import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import nbformat
from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

KINDS = ("code", "markdown", "raw")
MAX_CELLS = 2000  # of one notebook
IMPORT = "import course_checks as checks"
# The first lines of a cell that only measure it, or hide what it prints. What is timed defines
# nothing for the cells below, and what stops in the dark does not say where.
MEASURES = re.compile(r"\A(\s*%%(time|timeit|prun|memit|capture)\b.*(\n|\Z))+")
SHORTENS = re.compile(r"^(?=%xmode\b)", re.MULTILINE)  # errors, which then do not say where either


class CannotBeGraded(ValueError):
    """The submission holds no notebook that can be read; the message says why."""


@dataclass(eq=False)
class Cell:
    """A cell of the submission; ``graded`` becomes the release's cell that it stands for.

    ``home`` is the cell in which the answer stands, where it is another one, and ``tried`` the
    grade_id of the check to which it holds a try that a later cell replaces.
    """

    kind: str
    source: str
    cell_id: str | None
    nbgrader: dict[str, Any]
    graded: NotebookNode | None = None
    home: "Cell | None" = None
    tried: str = ""


def read_cells(content: bytes) -> list[Cell]:
    """The cells of any notebook, valid or not, as long as it is JSON with a list of cells."""
    if not content.strip():
        raise CannotBeGraded("it is empty")
    try:
        data = json.loads(_text_of(content))
    except (ValueError, RecursionError):
        raise CannotBeGraded("it is not a notebook (not JSON)") from None
    if isinstance(data, dict) and isinstance(data.get("worksheets"), list):
        try:
            data = nbformat.convert(nbformat.from_dict(data), 4)
        except Exception:  # whatever the old converter trips over
            raise CannotBeGraded("it is a damaged notebook of an old format") from None
    if not isinstance(data, dict) or not isinstance(data.get("cells"), list):
        raise CannotBeGraded("it is not a notebook (it has no cells)")
    if len(data["cells"]) > MAX_CELLS:
        raise CannotBeGraded(f"it has more than {MAX_CELLS} cells")
    return [_read_cell(cell) for cell in data["cells"] if isinstance(cell, dict)]


def _text_of(content: bytes) -> str:
    """The text, in the encoding that JSON's first bytes show; or as Windows wrote it."""
    try:
        return content.decode(json.detect_encoding(content)).removeprefix("\N{BYTE ORDER MARK}")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _read_cell(cell: dict) -> Cell:
    source = cell.get("source", "")
    if isinstance(source, list):
        source = "".join(str(line) for line in source)
    metadata = cell.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    cell_id, kind = cell.get("id"), cell.get("cell_type")
    source = whole_text(str(source).replace("\r\n", "\n").replace("\r", "\n").replace("\0", ""))
    return Cell(
        kind=kind if isinstance(kind, str) and kind in KINDS else "raw",
        source=SHORTENS.sub("# ", MEASURES.sub(lambda top: top[0].replace("%%", "# %%"), source)),
        cell_id=cell_id if isinstance(cell_id, str) else None,
        nbgrader=dict(nbgrader) if isinstance(nbgrader, dict) else {},
    )


def whole_text(text: str) -> str:
    """The text with a mark for each half of a character, which JSON can hold and no file can."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@lru_cache(maxsize=4096)  # each cell is looked at once for each graded cell
def python_tree(source: str) -> ast.Module | None:
    """The syntax tree of a cell, magics included; None where it has none."""
    try:
        return ast.parse(TransformerManager().transform_cell(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def same_text(a: str, b: str) -> bool:
    """Equal but for spaces at the ends of lines and empty lines around."""
    return [x.rstrip() for x in a.strip().split("\n")] == [
        x.rstrip() for x in b.strip().split("\n")
    ]


def defined(source: str, values: bool = False) -> set[str]:
    """The functions and classes of a cell; with ``values``, what it gives a name to besides."""
    tree = python_tree(source)
    nodes = tree.body if tree else []
    kinds = ast.stmt if values else (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {name for node in nodes if isinstance(node, kinds) for name in given_by(node)}


def given_by(node: ast.stmt) -> list[str]:
    """The names that a statement gives to a function or class, or to a value."""
    match node:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            return [name]
        case ast.Assign(targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
    return []


def imported(source: str) -> set[str]:
    """The names that the top level of a cell imports."""
    tree = python_tree(source)
    kinds = (ast.Import, ast.ImportFrom)
    imports = [node for node in tree.body if isinstance(node, kinds)] if tree else []
    return {alias.asname or alias.name for node in imports for alias in node.names}


def imports_of(notebook: NotebookNode) -> dict[str, str]:
    """The statement that imports each name at the top level of a notebook, by the name."""
    given: dict[str, str] = {}
    for cell in notebook.cells:
        tree = python_tree(cell.source) if cell.cell_type == "code" else None
        for node in tree.body if tree else []:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names = [alias.asname or alias.name.partition(".")[0] for alias in node.names]
                given |= dict.fromkeys(names, ast.unparse(node))
    return given


@lru_cache(maxsize=4096)
def last_check(source: str) -> tuple[str, str]:
    """NAME and OTHER of the last ``checks.NAME(OTHER)``; "" for what is not there."""
    for node in reversed([*ast.walk(python_tree(source) or ast.Module([], []))]):
        match node:
            case ast.Call(ast.Attribute(ast.Name("checks"), name), args):
                return name, next((arg.id for arg in args if isinstance(arg, ast.Name)), "")
    return "", ""


def called_check(source: str) -> str:
    """NAME of the last ``checks.NAME(...)``, or ""."""
    return last_check(source)[0]


def name_of(want: NotebookNode) -> str:
    """The function that a cell of the release defines or checks."""
    if want.metadata.get("nbgrader", {}).get("solution"):
        return min(defined(want.source), default="")
    return called_check(want.source)
