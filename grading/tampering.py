"""Signs that a notebook manipulates its grading. They ask for eyes; they change no points.

`suspicious_code` reads the source. In the kernel, watch.py notes what reaches into the judge, by
whatever road, what was replaced when a check ran, and what each check gave. A notebook that is
determined to cheat can get past both; see docs/instructors.md.
"""

import ast
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from nbformat import NotebookNode

from grading.cells import python_tree

CHECKS = "course_checks"
VARIABLES = ("COURSE_SEED", "COURSE_EXPECT", "NBGRADER_EXECUTION")


def suspicious_code(notebook: NotebookNode, release: NotebookNode) -> list[str]:
    """What looks like tampering in the cells that are not the release's own."""
    given = {cell.source.strip() for cell in release.cells}
    found = []
    for number, cell in enumerate(notebook.cells):
        tree = python_tree(cell.source) if cell.cell_type == "code" else None
        if tree is None or cell.source.strip() in given:
            continue
        found += [f"cell {number + 1} {sign}" for sign in dict.fromkeys(_signs(tree))]
    return found


def _signs(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names) if any(one.name.startswith(f"{CHECKS}.") for one in names):
                yield "imports from course_checks"
            case ast.ImportFrom(module=str(module)) if module.startswith(CHECKS):
                yield "imports from course_checks"
            case ast.Constant(value=str() | bytes() as value):
                if any(name in str(value) for name in VARIABLES):
                    yield "asks for the grader's settings"
                if CHECKS in str(value):
                    yield "names course_checks"


def cell_of_grader(function: str, *args: object) -> str:
    """A cell that shows what ``function`` of the module of that name returns.

    In a namespace of its own: the notebook may have called something list or id. Its built-in
    functions are its own too: what the first cell keeps is not replaced by a later one.
    """
    source = Path(__file__).with_name(f"{function}.py").read_text(encoding="utf-8")
    called = ", ".join(map(repr, args))
    return f"""import builtins as grader_builtins
grader_names = {{"__builtins__": grader_builtins.__dict__.copy()}}
grader_builtins.exec({source!r}, grader_names)
grader_names[{function!r}]({called})"""


Judged = set[tuple[int, str, float]]  # the numbers of executions, exercises and their points


def read_noted(key: str, number: str, answer: str, cells: Mapping[int, int]) -> tuple[list, Judged]:
    """What the kernel noted, as signs, and what its checks gave; of an answer that is signed.

    ``cells`` are the notebook's own by the number of their execution.
    """
    try:
        text = ast.literal_eval(answer)
        signature, text = text[:64], text[64:]
        asked, noted, judged = ast.literal_eval(text)
        if (signature, asked) == (hashlib.sha256((key + text).encode()).hexdigest(), number):
            at = {count: f" in cell {cell}" for count, cell in cells.items()}
            return [told + at.get(count, "") for count, told in noted], set(judged)
    except (ValueError, SyntaxError, TypeError):
        pass
    return ["the kernel does not answer the grader's questions"], set()
