"""What grading would find in a notebook, before it is handed in.

The notebook is read, repaired and run from top to bottom as in grading, in a fresh kernel of this
machine. Only the judge stands in the kernel, and the exercises are those of the lesson whose checks
the notebook calls.
"""

import subprocess
from collections import Counter
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from course_checks import ALL
from course_checks.notebook.cells import IMPORT, called_check, imports_of, read_cells
from course_checks.notebook.lacking import Failed, go_on_behind, names_not_there
from course_checks.notebook.mistakes import mistakes_of
from course_checks.notebook.repair import TRIED, CannotBeGraded, Submission, repair

CELL_SECONDS = 60  # as in grading


def validate(path: Path) -> list[str]:
    """What is to be said of the notebook at ``path``, line by line.

    Raises:
        CannotBeGraded: it is no notebook, or calls no check of the course.
    """
    content = path.read_bytes()
    release = release_of(_lesson_of(content))
    repaired = repair(Submission("you", {path.name: content}), release, path.stem)
    notebook = repaired.notebook
    failed, ended = _run(notebook, path.parent)
    points = {
        check: max(shown_points(cell) for cell in cells) for check, cells in _checks_in(notebook)
    }
    mistakes = mistakes_of(notebook)
    lines, total = [], 0.0
    for check, earned in points.items():
        name = check.removeprefix("check_")
        most = ALL[name].max_points
        total += earned
        words = mistakes.get(check)
        why = f": {words.name}. {words.sentence}".rstrip(". ") + "." if words else ""
        lines.append(f"{name}: {earned:g} of {most} points{why if earned < most else ''}")
    most = sum(ALL[check.removeprefix("check_")].max_points for check in points)
    lines.append(f"{total:g} of {most} points in all")
    lines += [f"cell {failure.cell} stopped: {failure.why}" for failure in failed]
    lines += [*ended, *repaired.repairs, *names_not_there(notebook, failed)]
    return list(dict.fromkeys(lines))


def _lesson_of(content: bytes) -> str:
    """The lesson whose checks the notebook calls most."""
    called = [called_check(cell.source) for cell in read_cells(content) if cell.kind == "code"]
    lessons = Counter(ALL[name].exercise.lesson for name in called if name in ALL)
    if not lessons:
        raise CannotBeGraded("it calls no check of the course, such as checks.single_head(...)")
    return lessons.most_common(1)[0][0]


def release_of(lesson: str) -> NotebookNode:
    """A notebook with an empty cell for each answer that is graded, and the check behind it."""
    notebook = new_notebook(cells=[new_code_cell(IMPORT)])
    for name, check in ALL.items():
        exercise = check.exercise
        if exercise.lesson != lesson or exercise.package:
            continue
        stub = f"def {exercise.signature}:\n    raise NotImplementedError()\n"
        if exercise.noun == "class":
            stub = f"class {name}(torch.nn.Module):\n    pass\n"
        about = {"schema_version": 3, "locked": False, "task": False}
        answer = about | {"grade_id": name, "grade": False, "solution": True}
        judged = about | {"grade_id": f"check_{name}", "grade": True, "solution": False}
        judged["points"] = check.max_points
        call = f"checks.{name}({name})"
        notebook.cells += [
            new_code_cell(stub, metadata={"nbgrader": answer}),
            new_code_cell(call, metadata={"nbgrader": judged}),
        ]
    return notebook


def _run(notebook: NotebookNode, folder: Path) -> tuple[list[Failed], list[str]]:
    """Run all cells; what failed in them, and why the run came to an early end, if it did."""
    cells, failed, ended = list(notebook.cells), [], []
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        allow_errors=True,
        resources={"metadata": {"path": str(folder)}},
    )
    given = imports_of(notebook)
    with client.setup_kernel(stderr=subprocess.DEVNULL):
        for index, cell in enumerate(cells):

            def run(part: NotebookNode, index: int = index) -> None:
                try:
                    client.execute_cell(part, index)
                except CellTimeoutError:
                    ended.append(f"cell {index + 1} did not end within {CELL_SECONDS} seconds")

            try:
                is_check = cell.metadata.get("nbgrader", {}).get("grade")
                if is_check:
                    run(new_code_cell(IMPORT))  # a notebook may call something else so
                run(cell)
                if cell.cell_type == "code" and not is_check:
                    failed += go_on_behind(cell, index + 1, run, given)
                if TRIED in cell.metadata:
                    check = next(
                        other for other in cells if _grade_id(other) == cell.metadata[TRIED]
                    )
                    tried = new_code_cell(check.source)
                    run(tried)
                    cell.outputs += [output for output in tried.outputs if "data" in output]
            except DeadKernelError:
                ended.append(f"the kernel ended in cell {index + 1}")
                break
    notebook.cells = cells  # nbclient puts whatever ran last into a cell's place
    return failed, ended


def _checks_in(notebook: NotebookNode) -> list[tuple[str, list[NotebookNode]]]:
    """Each check by its grade_id, with the cells that show what it gave."""
    checks = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]
    shown = []
    for check in checks:
        name = _grade_id(check)
        tries = [cell for cell in notebook.cells if cell.metadata.get(TRIED) == name]
        shown.append((name, [check, *tries]))
    return shown


def _grade_id(cell: NotebookNode) -> str:
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def shown_points(cell: NotebookNode) -> float:
    """The number that a check showed last in a cell, or 0."""
    values = [out for out in cell.get("outputs", []) if out.output_type == "execute_result"]
    try:
        return float(values[-1].data["text/plain"])
    except (IndexError, KeyError, ValueError):
        return 0.0
