"""The class at a glance: class.html and mistakes.csv, from all results.

The page is plain HTML and SVG, and its policy forbids scripts and requests, as the feedback's.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from course_checks.notebook.mistakes import (
    IN_ANOTHER_WAY,
    NO_VERDICT,
    NOT_RECOGNISED,
    NOT_WRITTEN,
    WITH_AN_ERROR,
    Mistake,
)
from grading.feedback import exercise_names, policy
from grading.platforms import person
from grading.release import Release
from grading.results import Result
from grading.tables import write_table
from grading.written import read_written

TEMPLATES = Path(__file__).with_name("templates")
PAGE, TABLE = "class.html", "mistakes.csv"
LONGEST_EXAMPLE = 30  # lines of an answer
MOST_BARS = 20
WITHOUT_A_NAME = {NOT_WRITTEN, WITH_AN_ERROR, NOT_RECOGNISED, NO_VERDICT, IN_ANOTHER_WAY}


@dataclass
class _Made:
    """One mistake and who made it."""

    mistake: Mistake
    students: list[str] = field(default_factory=list)
    example: str = ""

    @property
    def shared(self) -> bool:
        """Whether it has a name, or more than one made it: the others fold."""
        return self.mistake.name not in WITHOUT_A_NAME or len(self.students) > 1


@dataclass
class _Exercise:
    """What one exercise looks like over the class."""

    name: str
    possible: float
    points: Counter[float]
    made: list[_Made]

    @property
    def mean(self) -> float:
        total = sum(points * count for points, count in self.points.items())
        return total / max(1, self.points.total())

    @property
    def bars(self) -> list[tuple[str, int]]:
        return _bars(self.points, self.possible)


def _bars(points: Counter[float], possible: float) -> list[tuple[str, int]]:
    """How many have each number of points, from 0 to all; of many, some in one bar."""
    if possible <= MOST_BARS:
        steps = sorted({float(i) for i in range(int(possible) + 1)} | set(points))
        return [(f"{step:g}", points[step]) for step in steps]
    wide = -(-possible // MOST_BARS)
    counts = Counter(int(number // wide) for number in points.elements())
    return [(f"{step * wide:g}", counts[step]) for step in range(int(possible // wide) + 1)]


def _rank(made: _Made) -> tuple[bool, int]:
    """Mistakes by name are more than the others, and frequent ones more than rare ones."""
    return (made.mistake.name not in WITHOUT_A_NAME, len(made.students))


def write_class_page(root: Path, release: Release, results: Sequence[Result]) -> None:
    """Write class.html and mistakes.csv of ``results``, which lie in ``root``.

    An answer that waits for a person is left out.
    """
    exercises = _exercises(root, release, results)
    write_table(
        root / TABLE,
        ["exercise", "mistake", "students", "of", "sentence", "example_of"],
        [
            [
                exercise.name,
                made.mistake.name,
                str(len(made.students)),
                str(exercise.points.total()),
                made.mistake.sentence,
                made.students[0],
            ]
            for exercise in exercises
            for made in exercise.made
        ],
    )
    most = max((result.max_score for result in results), default=0.0)
    style = (TEMPLATES / "class_page" / "class.css").read_text(encoding="utf-8")
    text = _template().render(
        assignment=release.name,
        style=style,
        policy=policy(style),
        count=len(results),
        exercises=exercises,
        totals=_bars(Counter(result.score for result in results), most),
        without_a_name=WITHOUT_A_NAME,
        most=most,
        mean=sum(result.score for result in results) / max(1, len(results)),
    )
    (root / PAGE).write_text(text, encoding="utf-8", errors="backslashreplace")


def _exercises(root: Path, release: Release, results: Sequence[Result]) -> list[_Exercise]:
    written = {result.student: read_written(root, result) for result in results}
    exercises = []
    for check, name in exercise_names(release.notebook).items():
        points = {
            result.student: result.points[check]
            for result in results
            if check in result.points and check not in result.by_hand
        }
        made: dict[tuple[str, str], _Made] = {}
        for student, (earned, possible) in points.items():
            if earned < possible and check in written[student].mistakes:
                mistake = written[student].mistakes[check]
                answer = written[student].answers[check]
                # Sentences that differ in numbers, sizes and examples alone are of one mistake.
                kind = mistake.name, re.sub(r"\d+(\.\d+)?(e-?\d+)?", "", mistake.sentence)
                entry = made.setdefault(kind, _Made(mistake, example=answer))
                entry.students.append(student)
                entry.example = min(entry.example, answer, key=len)  # the shortest shows it best
        for entry in made.values():
            entry.example = _beginning(entry.example)
        if points:
            exercises.append(
                _Exercise(
                    name,
                    max(possible for _, possible in points.values()),
                    Counter(earned for earned, _ in points.values()),
                    sorted(made.values(), key=_rank, reverse=True),
                )
            )
    return exercises


def _beginning(answer: str) -> str:
    """The first lines of a long answer."""
    lines = answer.splitlines()
    return "\n".join(lines[:LONGEST_EXAMPLE] + ["# ..."] * (len(lines) > LONGEST_EXAMPLE))


def _template():
    loader = FileSystemLoader(TEMPLATES / "class_page")
    environment = Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["person"] = person
    return environment.get_template("class.html.j2")
