"""Rebuild a submitted notebook around the release, so that every graded cell is there and true.

From the submission come the cells' types, sources and their order; everything else that grading
depends on (ids, points, the sources of check cells) comes from the release. A graded cell of the
release is found in the submission by its nbgrader id, its cell id, its source or the name of its
function, in this order.
"""

import hashlib
import re
from dataclasses import dataclass, field

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell

from course_checks.notebook.cells import (
    CannotBeGraded,
    Cell,
    called_check,
    defined,
    imported,
    last_check,
    name_of,
    read_cells,
    same_text,
)

FENCE = re.compile(r"\A\s*```\w*\n|```\s*\Z")  # around code in Markdown
NEW_CELL = {"code": new_code_cell, "markdown": new_markdown_cell, "raw": new_raw_cell}

# In the metadata of cells: those that came with the exercise and are as they came, and those in
# which stands a try at an answer that a later one replaces, with the grade_id of its check.
GIVEN, TRIED = "given", "tried"

AGAIN = "ask for the notebook (.ipynb) again"


@dataclass(frozen=True)
class Submission:
    """What one student handed in: notebooks by name, usually one, and names of other files.

    ``unread`` is what may be meant and could not be read, by name, each with the reason.
    """

    student: str
    files: dict[str, bytes]
    unread: dict[str, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()

    def digest(self) -> str:
        digest = hashlib.sha256(repr((sorted(self.unread.items()), self.others)).encode())
        for name, content in sorted(self.files.items()):
            digest.update(f"{name} {len(content)} ".encode() + content)
        return digest.hexdigest()


@dataclass
class Repaired:
    """The notebook to grade, and what was done: ``repairs`` an instructor should look at.

    ``several`` says which of several notebooks was taken, ``unread`` names files that may have been
    meant, and ``forged`` changed points or kinds of cells.
    """

    notebook: NotebookNode
    repairs: list[str] = field(default_factory=list)
    several: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    forged: list[str] = field(default_factory=list)


def repair(submission: Submission, release: NotebookNode, name: str) -> Repaired:
    """Choose the notebook that is meant and restore the graded cells of ``release`` in it."""
    done = Repaired(new_notebook())
    cells = _choose(submission, release, name, done)
    graded = _graded_cells(release)
    notes = _read_text_as_code(graded, cells)
    for want in graded:
        _mark_cell(want, cells, done)
    _put_back_missing(graded, cells, done)
    notes += _find_answers_elsewhere(graded, cells, release)
    _move_checks_behind_answers(graded, cells, done)
    _put_back_imports(release, cells, done)
    done.repairs += [f"{note} cell {cells.index(cell) + 1}" for note, cell in notes]
    done.notebook = _build(release, cells)
    return done


def _graded_cells(release: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in release.cells if "nbgrader" in cell.metadata]


@dataclass(frozen=True)
class _Candidate:
    """One of the notebooks that may be meant: how many graded cells it holds, and answers."""

    file: str
    cells: list[Cell]
    known: int
    answered: int


def _choose(submission: Submission, release: NotebookNode, name: str, done: Repaired) -> list[Cell]:
    """The notebook that is meant, and in ``done`` what speaks against it.

    That is the one with most answers; of several as full the one that is called as the release is,
    then the one that is called after the student.
    """
    candidates, unread = [], dict(submission.unread)
    for file, content in sorted(submission.files.items()):
        try:
            candidates.append(_candidate(file, read_cells(content), release))
        except CannotBeGraded as problem:
            unread[file] = f"{problem}: {AGAIN}"
    done.unread += _few([f"{file}: {why}" for file, why in sorted(unread.items())])
    if not candidates:
        only = f", only {', '.join(_few(list(submission.others)))}" if submission.others else ""
        nothing = f"there is no notebook in the submission{only}: {AGAIN}"
        raise CannotBeGraded("; ".join(done.unread) or nothing)
    # A notebook of another assignment is no rival, nor is one that happens to share a cell.
    most = max(candidate.known for candidate in candidates)
    rivals = [candidate for candidate in candidates if 2 * candidate.known >= most]

    def preference(candidate: _Candidate) -> tuple:
        called = candidate.file.rpartition("/")[2].lower()
        names = [f"{name}.ipynb".lower(), f"{submission.student}.ipynb".lower()]
        return (candidate.answered, *(called == known for known in names), candidate.known)

    chosen = max(rivals, key=preference)
    if len(rivals) > 1:
        others = _few([rival.file for rival in rivals if rival is not chosen])
        done.several.append(f"{chosen.file} was graded, not {', '.join(others)}")
    return chosen.cells


def _candidate(file: str, cells: list[Cell], release: NotebookNode) -> _Candidate:
    known = answered = 0
    for want in _graded_cells(release):
        matches = [cell for _, cell in _cells_like(want, cells)]
        known += bool(matches)
        if want.metadata.nbgrader.solution:
            answered += any(not same_text(cell.source, want.source) for cell in matches)
    return _Candidate(file, cells, known, answered)


def _few(items: list[str], most: int = 5) -> list[str]:
    """The first of many, and how many more there are."""
    more = [f"and {len(items) - most} more"] if len(items) > most else []
    return items[:most] + more


def _cells_like(want: NotebookNode, cells: list[Cell]) -> list[tuple[str, Cell]]:
    """The cells that may stand for ``want``, each with how it was found; the surest first."""
    grade_id = want.metadata.get("nbgrader", {}).get("grade_id")
    tests = {
        "nbgrader": lambda cell: grade_id and cell.nbgrader.get("grade_id") == grade_id,
        "id": lambda cell: cell.cell_id == want.id,
        "source": lambda cell: same_text(cell.source, want.source),
        "function": lambda cell: bool(name_of(want)) and _stands_for(cell, want),
    }
    pairs = [
        (how, cell)
        for how, test in tests.items()
        for cell in cells
        if cell.graded is None and cell.kind == want.cell_type and test(cell)
    ]
    return [pair for i, pair in enumerate(pairs) if all(pair[1] is not two[1] for two in pairs[:i])]


def _mark_cell(want: NotebookNode, cells: list[Cell], done: Repaired) -> None:
    """Mark the cell that stands for ``want``, and say what was wrong with it."""
    grade_id = want.metadata.nbgrader.grade_id
    matches = _cells_like(want, cells)
    if not matches:
        return  # put back later
    how = matches[0][0]
    twins = [cell for way, cell in matches if way == how]
    if len(twins) > 1:
        done.repairs.append(f"{grade_id}: the cell is there {len(twins)} times")
    is_answer = want.metadata.nbgrader.solution
    written = [cell for cell in twins if not same_text(cell.source, want.source)]
    # Of several answers the last one runs last; a copy left untouched would undo it.
    cell = (written or twins)[-1] if is_answer else twins[0]
    if is_answer and written:
        cells[:] = [cell for cell in cells if cell in written or cell not in twins]
    cell.graded = want
    if not is_answer and not same_text(cell.source, want.source):
        done.repairs.append(f"{grade_id}: the check cell was edited")
        if defined(cell.source, values=True):  # an answer, perhaps
            cells.insert(cells.index(cell), Cell("code", cell.source, None, {}))
    for key in ("points", "grade", "solution"):
        if how == "nbgrader" and cell.nbgrader.get(key) != want.metadata.nbgrader.get(key):
            done.forged.append(f"{grade_id}: the metadata's {key!r} was changed")


def _put_back_missing(graded: list[NotebookNode], cells: list[Cell], done: Repaired) -> None:
    """Insert every graded cell that was not found, behind the graded cell before it."""
    place = 0
    for want in graded:
        at = next((i for i, cell in enumerate(cells) if cell.graded is want), None)
        if at is None:
            done.repairs.append(f"{want.metadata.nbgrader.grade_id}: the cell was missing")
            at = place
            cells.insert(at, Cell(want.cell_type, want.source, want.id, {}, graded=want))
        place = at + 1


def _move_checks_behind_answers(
    graded: list[NotebookNode], cells: list[Cell], done: Repaired
) -> None:
    """A check cell that stands before the answer to it would find nothing to check."""
    for answer, check in reversed(_answers_with_checks(graded)):
        own, judge = _cell_of(answer, cells), _cell_of(check, cells)
        first, second = cells.index(own.home or own), cells.index(judge)
        if second < first:
            if own.home is None:
                done.repairs.append(f"{check.metadata.nbgrader.grade_id}: stood before its answer")
            cells.insert(first, cells.pop(second))


def _put_back_imports(release: NotebookNode, cells: list[Cell], done: Repaired) -> None:
    """Insert the release's cells of imports where a name is not imported above the answers."""
    first = next(number for number, cell in enumerate(cells) if cell.graded)
    have = {name for cell in cells[:first] if cell.kind == "code" for name in imported(cell.source)}
    for cell in reversed(release.cells[: release.cells.index(_graded_cells(release)[0])]):
        if cell.cell_type != "code" or "setup" in cell.metadata.get("tags", ()):
            continue
        missing = imported(cell.source) - have
        if missing:
            done.repairs.append(f"the import of {', '.join(sorted(missing))} was missing above")
            cells.insert(0, Cell("code", cell.source, cell.id, {}))


def _build(release: NotebookNode, cells: list[Cell]) -> NotebookNode:
    notebook = new_notebook(metadata=release.metadata)
    given = {cell.source.strip() for cell in release.cells}
    ids = {cell.graded.id for cell in cells if cell.graded}
    for number, cell in enumerate(cells):
        if cell.graded:
            is_answer = cell.graded.metadata.nbgrader.solution
            source = cell.source if is_answer else cell.graded.source
            metadata, cell_id = cell.graded.metadata, cell.graded.id
        else:
            source, cell_id = cell.source, f"extra-{number}"
            metadata = {GIVEN: True} if source.strip() in given else {}
        if cell.tried:
            metadata = metadata | {TRIED: cell.tried}
        if cell.graded is None:
            while cell_id in ids:
                cell_id += "x"
        ids.add(cell_id)
        notebook.cells.append(
            NEW_CELL[cell.kind](source, metadata=nbformat.from_dict(metadata), id=cell_id)
        )
    return notebook


def _stands_for(cell: Cell, want: NotebookNode) -> bool:
    name = name_of(want)
    if want.metadata.nbgrader.solution:
        return name in defined(cell.source)
    return name == called_check(cell.source)


def _read_text_as_code(graded: list[NotebookNode], cells: list[Cell]) -> list[tuple[str, Cell]]:
    """A cell of text that defines the function of an exercise was meant to be code."""
    wanted = {name_of(want) for want in graded if want.metadata.nbgrader.solution} - {""}
    meant = []
    for cell in cells:
        bare = FENCE.sub("", cell.source) if cell.nbgrader.get("solution") else cell.source
        if cell.kind != "code" and defined(bare) & wanted:
            cell.kind, cell.source = "code", bare
            meant.append(cell)
    return [("text was read as code in", cell) for cell in meant]


def _find_answers_elsewhere(
    graded: list[NotebookNode], cells: list[Cell], release: NotebookNode
) -> list[tuple[str, Cell]]:
    """Where its own cell does not define an exercise's function, the last cell that does counts.

    The template would undo it, and is emptied. A function of another name counts where the student
    edited the check to call that one.
    """
    notes = []

    def places_of(name: str) -> list[Cell]:
        return [
            cell
            for cell in cells
            if cell.kind == "code" and name in defined(cell.source)
            if not any(same_text(cell.source, given.source) for given in release.cells)
        ]

    for answer, check in _answers_with_checks(graded):
        name, own, judge = name_of(answer), _cell_of(answer, cells), _cell_of(check, cells)
        places = places_of(name)
        other = "" if places else last_check(judge.source)[1]
        if other:
            places = places_of(other)
        if not places:
            if (others := defined(own.source)) and name not in defined(own.source, values=True):
                notes.append((f"{name} is not defined, but {', '.join(sorted(others))} in", own))
            continue
        last = places[-1]
        for place in places[:-1]:
            place.tried = check.metadata.nbgrader.grade_id
        if other:
            cells.insert(cells.index(judge), Cell("code", f"{name} = {other}", None, {}))
            notes.append((f"{name}: as the edited check says, judged is {other} of", last))
        elif own not in places:
            notes.append((f"{name}: the answer was found by its name in", last))
        elif cells.index(last) > cells.index(judge):
            last.tried = check.metadata.nbgrader.grade_id
            notes.append((f"{name}: it is defined once more, below its check, in", last))
        if own not in places:
            own.home = last
            if same_text(own.source, answer.source):
                own.source = f"# {other or name} is in another cell."
    return notes


def _answers_with_checks(graded: list[NotebookNode]) -> list[tuple[NotebookNode, NotebookNode]]:
    return [
        (answer, check)
        for answer, check in zip(graded, graded[1:], strict=False)
        if answer.metadata.nbgrader.solution and not check.metadata.nbgrader.solution
    ]


def _cell_of(want: NotebookNode, cells: list[Cell]) -> Cell:
    return next(cell for cell in cells if cell.graded is want)
