"""A mistake costs points in its own exercise only, also where later answers call that function.

Hints advise to use what an earlier exercise wrote. So where a check gives less than full points,
and the answer calls functions of exercises that are not right themselves, the check is run once
more with the course's own functions in their place (check_with_references.py), and the better
result counts.
"""

import ast

from nbformat import NotebookNode
from nbformat.v4 import new_output

from grading.cells import given_by, python_tree
from tools.notebooks.notebook_files import is_check_cell


def shown_points(cell: NotebookNode) -> float | None:
    """The one number that a cell shows as its value, or None."""
    values = [output for output in cell.outputs if output.output_type == "execute_result"]
    try:
        (value,) = values
        return float(value.data["text/plain"])
    except (KeyError, TypeError, ValueError):
        return None


def calls(exercise: str, others: list[str], cells: list[NotebookNode]) -> list[str]:
    """Which of ``others`` the function ``exercise`` calls, itself or through one in ``cells``.

    What those others call in turn does not count.
    """
    uses: dict[str, set[str]] = {}
    for cell in cells:
        tree = python_tree(cell.source) if cell.cell_type == "code" else None
        for node in tree.body if tree and not is_check_cell(cell) else []:
            read = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
            uses |= dict.fromkeys(given_by(node), read)
    found, waiting = {exercise}, [exercise]
    while waiting:
        new = uses.get(waiting.pop(), set()) - found
        found |= new
        waiting += new.difference(others)
    return [one for one in others if one in found and one != exercise]


def take_better(check: NotebookNode, apart: NotebookNode, borrowed: list[str]) -> None:
    """Give ``check`` the outputs of ``apart`` where these show more points, and say why."""
    own, better = shown_points(check), shown_points(apart)
    if own is None or better is None or not better > own:
        return
    names = " and ".join(borrowed)
    text = (
        f"Judged with the course's own {names}, since yours is not right and this answer calls it. "
        "A mistake costs points in its own exercise only.\n"
    )
    check.outputs = [new_output("stream", name="stdout", text=text), *apart.outputs]
