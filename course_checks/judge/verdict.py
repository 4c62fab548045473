"""What is found of a function, as data: from one call to the verdict. ``explain`` says it in words.

Each step adds to what the one before found: ``calling`` gives Outcomes, ``engine`` puts them into
Trials, ``diagnose`` names the mistake or a Fault, and ``engine`` makes one Verdict of it.
"""

from dataclasses import dataclass, field
from typing import Any

from course_checks.exercise import Case, Exercise, Mistake, Property

# (property, points earned or None, points possible), see Result
Parts = tuple[tuple[str, int | None, int], ...]


@dataclass(frozen=True)
class BadForm:
    """An answer that cannot be read."""

    got: str = ""  # the kind of what came, such as "a list of 3"
    part: str = ""  # of the answer, for which it came; "" for all of it
    likely: str = ""  # how it came about: "printed", "one of two", "an array", or nobody knows
    sentence: str = ""  # what the exercise's ``observe`` says of it instead


@dataclass(frozen=True)
class Outcome:
    """What one call did: an answer by part, or a form that cannot be read, or an error.

    ``code`` is the student's line that raised it, ``changed`` the argument that was changed,
    ``seconds`` what the call took of the processor. ``is_stub`` says that nothing is written yet.
    ``right`` says of a part, once it was asked, whether it is what its trial expects.
    """

    answer: dict[str, Any] | None = None
    bad_form: BadForm | None = None
    error: BaseException | None = None
    code: str = ""
    changed: str = ""
    seconds: float = 0.0
    is_stub: bool = False
    right: dict[str, bool] = field(default_factory=dict, init=False)  # the judge's own


@dataclass(eq=False)
class Trial:
    """One case with what is expected, once that was worked out, and what came."""

    case: Case
    call_seed: int
    expected: dict[str, Any] = field(default_factory=dict)
    integer_entries: dict[str, frozenset[int]] = field(default_factory=dict)
    is_double: bool = False  # the case before it once more, in float64
    outcome: Outcome = field(default_factory=Outcome)


@dataclass(frozen=True)
class Fault:
    """What is wrong whatever the numbers are, by its ``code``, with what belongs to that.

    "no_function", "other_arguments": the kind of what a check ``got``, or the signature.
    "endless", "too_slow": the ``case`` in which it was stopped, and the seconds that it ``got``.
    "sentence": the sentence that the exercise has for it.
    "changes_input": the ``name`` of the argument, and what it ``got`` there.
    "dtype", "device", "answers_vary": the ``name`` of the part of the answer whose dtype or device
    is ``got`` instead of ``wanted``.
    """

    code: str
    name: str = ""
    got: Any = None
    wanted: Any = None
    case: Case | None = None


@dataclass(frozen=True, eq=False)
class Broken:
    """A property that does not hold, and where that is shown."""

    item: Property  # the first one of those
    trial: Trial  # the first where it fails, or where a known mistake gives numbers
    part: str  # of the answer that is wrong there, "" where there is no answer
    mistakes: list[Mistake]  # the known mistakes that fit: one, two that look alike, or none
    besides: Fault | None  # what is wrong whatever the numbers are
    unused: list[str]  # arguments that are never read, where no known mistake fits
    right_part: str  # of two parts the one that alone is right throughout, or ""


@dataclass(frozen=True, eq=False)
class Verdict:
    """All that was found; ``finding`` is None where all is right, or nothing is written yet.

    The seed, status, parts, code and diagnosis are those of the Result.
    """

    exercise: Exercise
    seed: int | None
    status: str
    finding: Fault | Broken | None = None
    parts: Parts = ()
    code: str = ""
    diagnosis: str | None = None
