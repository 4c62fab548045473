"""What grading leaves for each student: result.json, feedback.html and the executed notebook.

These folders are the truth; tables and the gradebook are made from them. A folder appears whole or
not at all, so a run that is killed loses nothing but the submissions that it was at.
"""

import json
import os
import re
import shutil
import tempfile
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from grading.late import Late

DRAFT = ".new-"  # how the name of a folder begins until it is complete
FOR_TEACHERS = re.compile(r": (?=ask for |look at the notebook)")
# How the lines of a review begin that a student is not told.
TAMPERING, SET_ASIDE, ALIKE = "tampering suspected", "set aside", "alike"
MESSAGE = "a text to you"
PUBLISHED = "identical to the published solution"
NOT_GRADED = "could not be graded"


@dataclass(frozen=True)
class Result:
    """One graded submission: ``points`` are [earned, possible] by check cell, in order.

    ``key`` is of everything that decides the result, and ``made_of`` a digest of each part of it:
    another key means, grade again. ``review`` says why somebody should look at it. ``by_hand`` are
    answers, by cell, that a person has to grade; their points are 0 until then.
    """

    student: str
    assignment: str
    key: str
    seed: int
    sandbox: bool
    points: dict[str, list[float]]
    review: list[str]
    seconds: float
    cpu_seconds: float
    by_hand: dict[str, str] = field(default_factory=dict)
    made_of: dict[str, str] = field(default_factory=dict)

    @property
    def told(self) -> list[str]:
        """What the student is told about the grading: without what it asks of the teacher."""
        kept = (TAMPERING, SET_ASIDE, ALIKE, MESSAGE, PUBLISHED)
        reasons = [reason for reason in self.review if not reason.startswith(kept)]
        shown = [FOR_TEACHERS.split(reason)[0] for reason in reasons]
        if self.unreadable and any("ask for " in reason for reason in reasons):
            shown.append(f"hand in {self.assignment}.ipynb itself, with your answers and saved")
        return shown

    @property
    def unreadable(self) -> bool:
        """Whether there was nothing that could be run, so that no answer was judged."""
        return any(reason.startswith(NOT_GRADED) for reason in self.review)

    @property
    def score(self) -> float:
        return sum(earned for earned, _ in self.points.values())

    @property
    def max_score(self) -> float:
        return sum(possible for _, possible in self.points.values())


@dataclass(frozen=True)
class Judged(Result):
    """What counts of one submission. ``points`` are a person's in the cells of ``given``.

    ``comments`` are a person's, by check cell, and on the whole by ""; those that are ``withdrawn``
    are about an earlier answer. ``late`` is None where nothing is known of that.
    """

    given: tuple[str, ...] = ()
    comments: dict[str, str] = field(default_factory=dict)
    withdrawn: dict[str, str] = field(default_factory=dict)
    late: Late | None = None
    nothing_judged: bool = False

    @property
    def unreadable(self) -> bool:
        """As the machine found it, also when a person has dealt with that line."""
        return self.nothing_judged

    @property
    def taken_off(self) -> float:
        """What being late costs, where that is applied."""
        return self.late.deduction if self.late and self.late.applied else 0.0

    @property
    def total(self) -> float:
        """The score, less what being late costs."""
        return max(0.0, round(self.score - self.taken_off, 2))

    @property
    def late_words(self) -> str:
        return self.late.words if self.late else ""


@dataclass(frozen=True)
class Graded:
    """A result with the text of the executed notebook and of the page for the student."""

    result: Result
    notebook: str
    feedback: str


def write_result(folder: Path, graded: Graded) -> None:
    """Put the three files into ``folder``, replacing what is there."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    new = Path(tempfile.mkdtemp(prefix=DRAFT, dir=folder.parent))
    files = {
        "result.json": json.dumps(asdict(graded.result), indent=1),
        "graded.ipynb": graded.notebook,
        "feedback.html": graded.feedback,
    }
    for name, text in files.items():
        # A lone surrogate can stand in what a kernel printed.
        (new / name).write_text(text, encoding="utf-8", errors="backslashreplace")
    new.chmod(0o755)
    shutil.rmtree(folder, ignore_errors=True)
    os.replace(new, folder)


def with_one_check(folder: Path, new: Graded, cell: str) -> Graded:
    """The result in ``folder`` with one check of ``new``, where both are of the same submission.

    The page is empty: the tables are written next, and make it.
    """
    old = read_result(folder)
    if old is None or old.made_of.get("submission") != new.result.made_of["submission"]:
        return new
    notebook = json.loads((folder / "graded.ipynb").read_text(encoding="utf-8"))
    judged = json.loads(new.notebook)
    fresh = {raw["metadata"].get("nbgrader", {}).get("grade_id"): raw for raw in judged["cells"]}
    for number, raw in enumerate(notebook["cells"]):
        if raw["metadata"].get("nbgrader", {}).get("grade_id") == cell:
            notebook["cells"][number] = fresh[cell]
    waiting = {name: text for name, text in old.by_hand.items() if name != cell}
    waiting |= {name: text for name, text in new.result.by_hand.items() if name == cell}
    result = replace(
        new.result,
        points=old.points | {cell: new.result.points[cell]},
        review=list(dict.fromkeys([*old.review, *new.result.review])),
        by_hand=waiting,
    )
    return Graded(result, json.dumps(notebook, indent=1, ensure_ascii=False), "")


def remove_drafts(folder: Path) -> None:
    """Remove what a killed run left of results in ``folder``."""
    for path in folder.glob(f"{DRAFT}*"):
        shutil.rmtree(path, ignore_errors=True)


def read_result(folder: Path) -> Result | None:
    """The result in ``folder``; None where there is none that can be read."""
    try:
        return Result(**json.loads((folder / "result.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def read_results(root: Path) -> list[Result]:
    """All results that runs have left in ``root``, by student.

    Nothing else that is called result.json counts: it may be a student's.
    """
    paths = root.glob("students/*/result.json")
    folders = [path.parent for path in paths if not path.parent.name.startswith(".")]
    results = [(folder, read_result(folder)) for folder in folders]
    own = [result for path, result in results if result is not None and result.student == path.name]
    return sorted(own, key=lambda result: result.student)


def folder_of(root: Path, student: str) -> Path | None:
    """Where the result of ``student`` is in ``root``, if it is."""
    folder = root / "students" / student
    return folder if (folder / "result.json").is_file() else None
