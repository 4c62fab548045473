"""Find answers that stand where they do not belong, by the name of their function."""

from nbformat import NotebookNode

from grading.cells import Cell, defined, last_check, name_of, same_text


def read_text_as_code(graded: list[NotebookNode], cells: list[Cell]) -> list[tuple[str, Cell]]:
    """A cell of text that defines the function of an exercise was meant to be code."""
    wanted = {name_of(want) for want in graded if want.metadata.nbgrader.solution} - {""}
    meant = [cell for cell in cells if cell.kind != "code" and defined(cell.source) & wanted]
    for cell in meant:
        cell.kind = "code"
    return [("text was read as code in", cell) for cell in meant]


def find_answers_elsewhere(
    graded: list[NotebookNode], cells: list[Cell], release: NotebookNode
) -> list[tuple[str, Cell]]:
    """Where its own cell does not define an exercise's function, the last cell that does counts.

    The template would undo it, and is emptied. A function of another name counts where the student
    edited the check to call that one.
    """
    told = []

    def places_of(name: str) -> list[Cell]:
        return [
            cell
            for cell in cells
            if cell.kind == "code" and name in defined(cell.source)
            if not any(same_text(cell.source, given.source) for given in release.cells)
        ]

    for answer, check in answers_with_checks(graded):
        name, own, judge = name_of(answer), cell_of(answer, cells), cell_of(check, cells)
        places = places_of(name)
        other = "" if places else last_check(judge.source)[1]
        if other:
            places = places_of(other)
        if not places:
            if others := defined(own.source) - {name}:
                told.append((f"{name} is not defined, but {', '.join(sorted(others))} in", own))
            continue
        last = places[-1]
        if other:
            cells.insert(cells.index(judge), Cell("code", f"{name} = {other}", None, {}))
            told.append((f"{name}: as the edited check says, judged is {other} of", last))
        elif own not in places:
            told.append((f"{name}: the answer was found by its name in", last))
        elif cells.index(last) > cells.index(judge):
            told.append((f"{name}: judged is its own cell; below its check it is defined in", last))
        if own not in places:
            own.home = last
            if same_text(own.source, answer.source):
                own.source = f"# {other or name} is in another cell."
    return told


def answers_with_checks(graded: list[NotebookNode]) -> list[tuple[NotebookNode, NotebookNode]]:
    return [
        (answer, check)
        for answer, check in zip(graded, graded[1:], strict=False)
        if answer.metadata.nbgrader.solution and not check.metadata.nbgrader.solution
    ]


def cell_of(want: NotebookNode, cells: list[Cell]) -> Cell:
    return next(cell for cell in cells if cell.graded is want)
