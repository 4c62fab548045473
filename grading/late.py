"""Due dates and late days, by a rule in one line of settings.toml beside the results' folders.

    02_single_head = { due = 2026-11-20T23:59:00, percent_a_day = 10, free_days = 1 }

docs/instructors.md says what each word of it does. When a submission came is what the roster says,
or the time of its newest file.
"""

import contextlib
import math
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from grading.platforms import CANVAS, is_called

FILE = "settings.toml"
DAY = timedelta(days=1)
UNPACKED = timedelta(minutes=10)  # file times that lie closer than this are those of unpacking
# As Moodle's worksheet writes them, in English.
FORMATS = ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%A, %B %d, %Y, %I:%M %p")
HANDED_IN = ("Last modified (submission)", "handed_in")  # columns of a roster
OWN_DUE = "due"  # a roster's column for who has more time


@dataclass(frozen=True)
class Rule:
    """What being late costs; see the top of this module."""

    due: datetime = datetime.max
    percent_a_day: float = 0.0
    free_days: int = 0
    days_at_most: int | None = None
    apply: bool = False
    extensions: dict[str, datetime] = field(default_factory=dict)
    pairs: list[list[str]] = field(default_factory=list)

    def due_for(self, student: str) -> datetime:
        own = [due for name, due in self.extensions.items() if is_called(student, name)]
        return max(own, default=self.due)

    def are_a_pair(self, *students: str) -> bool:
        return any(
            all(any(is_called(student, name) for name in pair) for student in students)
            for pair in self.pairs
        )

    def strangers(self, students: Iterable[str]) -> list[str]:
        """The names in the line that are nobody's of these."""
        named = {*self.extensions, *(name for pair in self.pairs for name in pair)}
        return sorted(name for name in named if not any(is_called(who, name) for who in students))

    def deduction(self, days: int, possible: float) -> float:
        """The points that ``days`` late days take from a submission with ``possible`` points."""
        counted = max(0, days - self.free_days)
        if self.days_at_most is not None and days > self.days_at_most:
            return possible
        return min(possible, possible * self.percent_a_day * counted / 100)


@dataclass(frozen=True)
class Late:
    """How late one submission came.

    ``source`` says what tells when: "roster" or "file". ``days`` are late days, each one begun;
    None where only a mark says that it is late. ``deduction`` is what the rule takes off.
    """

    handed_in: datetime | None
    source: str
    days: int | None
    deduction: float
    applied: bool

    @property
    def words(self) -> str:
        """What a person is told; "" for who was in time."""
        if self.days == 0:
            return ""
        if self.days is None:
            return "late, as the download marks it"
        days = f"{self.days} day{'s' * (self.days > 1)} late"
        off = f"{self.deduction:g} points off" if self.deduction else "no points off"
        return f"{days}: {off}{'' if self.applied or not self.deduction else ' (not applied)'}"


def path_of(root: Path) -> Path:
    """Where the settings for the results in ``root`` are."""
    return root.parent / FILE


def read_rule(path: Path, assignment: str) -> Rule | None:
    """The rule of one assignment; None where there is none.

    ValueError where the file or its line cannot be understood.
    """
    line = _read_settings(path).get(assignment)
    return None if line is None else _checked(line, f"{path}, {assignment}")


def read_held_back(path: Path) -> list[str]:
    """Whose grades and feedback are not given out; ValueError where that is no list of names."""
    names = _read_settings(path).get("hold_back", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(f'{path}: hold_back should be names, ["Anna Ahn"], got {names!r}.')
    return names


def _read_settings(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise ValueError(f"{path} is no TOML: {problem}") from None


def _checked(line: Any, where: str) -> Rule:
    kinds: dict[str, tuple[Any, str]] = {
        "due": (datetime, "a time such as 2026-11-20T23:59:00"),
        "percent_a_day": ((int, float), "a number from 0 to 100"),
        "free_days": (int, "a number of days"),
        "days_at_most": (int, "a number of days"),
        "apply": (bool, "true or false"),
        "extensions": (dict, 'names with times, { "Anna Ahn" = 2026-11-24T23:59:00 }'),
        "pairs": (list, 'pairs of names, [["Chloé Kim", "David Bo"]]'),
    }
    if not isinstance(line, dict) or not line.keys() & {"due", "pairs"}:
        raise ValueError(f"{where} needs at least {{ due = 2026-11-20T23:59:00 }}.")
    for key, value in line.items():
        if key not in kinds:
            raise ValueError(f"{where} has {key!r}; known are {', '.join(kinds)}.")
        kind, words = kinds[key]
        wrong = not isinstance(value, kind) or (kind is not bool and isinstance(value, bool))
        if isinstance(value, (int, float)):
            wrong |= not 0 <= value <= (100 if key == "percent_a_day" else 1e4)
        elif isinstance(value, dict):
            wrong |= not all(isinstance(time, datetime) for time in value.values())
        elif isinstance(value, list):
            wrong |= not all(isinstance(pair, list) and len(pair) == 2 for pair in value)
        if wrong:
            raise ValueError(f"{where}: {key} should be {words}, got {value!r}.")
    more = {name: local(time) for name, time in line.get("extensions", {}).items()}
    due = local(line.get("due", datetime.max))
    return Rule(**line | {"due": due, "extensions": more})


def read_time(text: str) -> datetime | None:
    """A time as a roster writes it: Moodle's in English, or 2026-11-20 23:58; None for others."""
    for form in ("", *FORMATS):
        with contextlib.suppress(ValueError):
            if form:
                return datetime.strptime(text.strip(), form)
            return local(datetime.fromisoformat(text.strip()))
    return None


def local(time: datetime) -> datetime:
    """The time on this machine's clock, of which those of files are; one without a zone is that."""
    return time.astimezone().replace(tzinfo=None) if time.tzinfo else time


def believable(times: dict[str, datetime]) -> dict[str, datetime]:
    """The files' times, or none where all are alike: unpacking or copying set them."""
    if len(times) > 2 and max(times.values()) - min(times.values()) < UNPACKED:
        return {}
    return times


def lateness(
    rule: Rule | None,
    student: str,
    entry: str,
    possible: float,
    row: dict[str, str],
    file: datetime | None,
) -> Late | None:
    """How late one submission is; None where nothing is known of it.

    ``entry`` is what it is called in the download, where Canvas marks who is late, ``row`` the
    student's line of the roster, and ``file`` the time of the submission's newest file.
    """
    marked = bool((parts := CANVAS.fullmatch(entry)) and parts["late"])
    in_roster = next((time for name in HANDED_IN if (time := read_time(row.get(name, "")))), None)
    handed_in, source = (in_roster, "roster") if in_roster else (file, "file" if file else "")
    if rule is None or rule.due == datetime.max or handed_in is None:
        return Late(handed_in, source, None, 0.0, False) if marked else None
    due = read_time(row.get(OWN_DUE, "")) or rule.due_for(student)
    days = max(0, math.ceil((handed_in - due) / DAY))
    if marked and days == 0:  # the platform knows of the hour, the file does not
        return Late(handed_in, source, None, 0.0, False)
    off = round(rule.deduction(days, possible), 2)
    return Late(handed_in, source, days, off, rule.apply)


def in_a_line(rule: Rule, all_of_them: list[Late | None]) -> str:
    """What the rule comes to for a class."""
    late = [submission for submission in all_of_them if submission and submission.days != 0]
    unknown = sum(submission is None or submission.days is None for submission in all_of_them)
    off = sum(submission.deduction for submission in late)
    taken = "taken off" if rule.apply else "not taken off (apply = true in its line does)"
    line = f"{len(late)} came after {rule.due:%Y-%m-%d %H:%M}: {off:g} points, {taken}"
    if unknown:
        line += (
            f"; of {unknown} nothing says when they came. Unpacking may have set the files' times: "
            "unzip keeps them, and ROSTER can hold a column handed_in"
        )
    return line
