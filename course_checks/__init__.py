"""Checks that say what is wrong: ``checks.stable_softmax(stable_softmax)``.

Lessons write ``import course_checks as checks``. Each check has the name of the exercise's
function, takes that function, and returns a Result: points for each property of a right answer, and
where one fails, the mistake by name or the smallest input that shows it. Whatever that function
raises, a check does not. ``checks.NAME.ready(function)`` says whether the function is right, for
cells that need it. ``examine_layer`` tests any attention layer, whoever wrote it, and
``examine_ablation`` a way to switch heads off.

The judge stands in ``judge/``, the vocabulary of exercises in ``exercise.py``. An exercise is a
module in the folder of its topic, such as ``exercises/soft_lookup/stable_softmax.py`` (a reference,
properties, mistakes); whatever lies there is found. One that needs a package which the course does
not install, ``exercise.package``, is there where that is.
"""

import os
from collections.abc import Iterator
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

from course_checks.examine import examine_ablation as examine_ablation
from course_checks.examine import examine_layer as examine_layer
from course_checks.exercise import MissingPackage
from course_checks.judge.engine import Check
from course_checks.judge.feedback import Result as Result

FOLDER = Path(__file__).with_name("exercises")
# An instructor's own exercises, FOLDER/NAME.py: docs/instructors.md says how they are written.
VARIANTS = os.environ.get("COURSE_VARIANTS", "")
if VARIANTS:
    __path__.append(VARIANTS)


def _modules_of_exercises() -> Iterator[str]:
    """Those that define EXERCISE: others in a topic's folder help them or hold answers."""
    for path in sorted(FOLDER.glob("*/*.py")):
        if "\nEXERCISE = " in path.read_text(encoding="utf-8"):
            yield f"course_checks.exercises.{path.parent.name}.{path.stem}"
    if VARIANTS:
        yield from (f"course_checks.{path.stem}" for path in sorted(Path(VARIANTS).glob("*.py")))


def _in_the_courses_order() -> list[Check]:
    every = []
    for name in _modules_of_exercises():
        try:
            every.append(Check(import_module(name).EXERCISE))
        except MissingPackage as missing:
            LACKING[name.rpartition(".")[2]] = str(missing)
    return sorted(every, key=lambda check: (check.exercise.lesson, check.exercise.number))


LACKING: dict[str, str] = {}  # exercises that are not here, and what to do for them


ALL = {check.exercise.name: check for check in _in_the_courses_order()}
globals().update(ALL)

__all__ = ["ALL", "Result", "examine_ablation", "examine_layer", *ALL]


def __getattr__(name: str) -> Check:
    """Say what a check needs that is not here, or which checks have a similar name."""
    if name in globals().get("LACKING", ()):
        raise AttributeError(f"The check {name} is not here. {LACKING[name]}")
    near = get_close_matches(name, globals().get("ALL", ()))
    hint = f" Did you mean {' or '.join(near)}?" if near else " checks.ALL holds them all by name."
    raise AttributeError(f"There is no check named {name!r}.{hint}")
