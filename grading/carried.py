"""A mistake costs points in its own exercise only, also where later answers call that function.

Hints advise to use what an earlier exercise wrote. So where a check gives less than full points,
and the answer calls functions of exercises that are not right themselves, the check is run once
more with the course's own functions in their place, which work at the judge's, and the better
result counts.
"""

import ast

from nbformat import NotebookNode
from nbformat.v4 import new_output

from course_checks import ALL
from course_checks.notebook.cells import defined, given_by, python_tree
from course_checks.notebook.repair import TRIED
from tools.notebooks.notebook_files import is_check_cell


def calls(exercise: str, others: list[str], cells: list[NotebookNode]) -> list[str]:
    """Which of ``others`` the function ``exercise`` calls, itself or through one in ``cells``.

    What those others call in turn does not count.
    """
    uses: dict[str, set[str]] = {}
    for cell in cells:
        tree = python_tree(cell.source) if cell.cell_type == "code" else None
        for node in tree.body if tree and not is_check_cell(cell) else []:
            read = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
            uses |= dict.fromkeys(given_by(node), read)
    reached, waiting = {exercise}, [exercise]
    while waiting:
        new = uses.get(waiting.pop(), set()) - reached
        reached |= new
        waiting += new.difference(others)
    return [other for other in others if other in reached and other != exercise]


def may_be_lent(name: str, exercise: str, below: list[NotebookNode]) -> bool:
    """Whether the answer to ``exercise`` may call the course's own function ``name``.

    No class, nothing that the course asks for later, which may hold the very answer, and nothing
    that the cells ``below`` try again: they would know what it said.
    """
    in_order = list(ALL)
    again = (cell.source for cell in below if TRIED in cell.metadata)
    return (
        ALL[name].exercise.noun != "class"
        and in_order.index(name) < in_order.index(exercise)
        and not any(name in defined(code) for code in again)
    )


def say_what_was_lent(check: NotebookNode, lent: list[str]) -> None:
    """Say above what a check shows with which functions of the course that was found."""
    text = (
        f"Judged with the course's own {' and '.join(lent)}, since yours is not right and this "
        "answer calls it. A mistake costs points in its own exercise only.\n"
    )
    check.outputs.insert(0, new_output("stream", name="stdout", text=text))
