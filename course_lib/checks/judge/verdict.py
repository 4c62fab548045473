"""What is found of a function, as data: from one call to the verdict. ``explain`` says it in words.

Each step adds to what the one before found: ``calling`` gives Outcomes, ``engine`` puts them into
Trials, ``diagnose`` names the mistake or a Misbehaviour, and ``engine`` makes one Verdict of it.
"""

from dataclasses import dataclass, field
from typing import Any

from course_lib.checks.exercise import Case, Exercise, Mutant, Property

# (property, points earned or None, points possible), see Result
Parts = tuple[tuple[str, int | None, int], ...]


@dataclass(frozen=True)
class BadForm:
    """An answer that cannot be read.

    Attributes:
        got: the kind of what came, such as "a list of 3".
        part: of the answer, for which it came; "" for all of it.
        likely: how it came about: "printed", "one of two", "an array" or, where none of these, "".
        sentence: what the exercise's ``observe`` says of it instead.
    """

    got: str = ""
    part: str = ""
    likely: str = ""
    sentence: str = ""


@dataclass(frozen=True)
class Outcome:
    """What one call did: an answer by part, or a form that cannot be read, or an error.

    ``code`` is the student's line that raised it, ``changed`` the argument that was changed.
    ``right`` says of a part, once it was asked, whether it is what its trial expects.
    """

    answer: dict[str, Any] | None = None
    bad_form: BadForm | None = None
    error: BaseException | None = None
    code: str = ""
    changed: str = ""
    right: dict[str, bool] = field(default_factory=dict)


@dataclass(eq=False)
class Trial:
    """One case with what was expected and what came."""

    case: Case
    call_seed: int
    expected: dict[str, Any]
    integer_entries: dict[str, frozenset[int]] = field(default_factory=dict)
    outcome: Outcome = field(default_factory=Outcome)


@dataclass(frozen=True)
class NoFunction:
    """What a check was given instead, by its kind."""

    given: str


@dataclass(frozen=True)
class OtherArguments:
    """The function's signature, where it does not take the exercise's arguments."""

    signature: str


@dataclass(frozen=True)
class TooLong:
    """It was stopped in this case: one call took ``seconds``, or all ``in_all``."""

    case: Case
    seconds: float
    in_all: bool = False


@dataclass(frozen=True)
class Told:
    """What the exercise itself says: of a forbidden call, or from ``Property(judge=...)``."""

    sentence: str


@dataclass(frozen=True)
class Misbehaviour:
    """What is wrong whatever the numbers are.

    ``code`` is "changes_input", "dtype", "device" or "varies"; ``name`` is the argument, or the
    part of the answer whose dtype or device is ``got`` instead of ``wanted``.
    """

    code: str
    name: str = ""
    got: Any = None
    wanted: Any = None


@dataclass(frozen=True, eq=False)
class Broken:
    """A property that does not hold.

    Attributes:
        item: the first one of those.
        trial: the first where it fails, or where a known mistake gives numbers.
        part: of the answer that is shown; "" where there is no answer.
        mutants: the known mistakes that fit: one, two that look alike, or none.
        misbehaviour: what is wrong besides.
        unused: the arguments that are never read, where no known mistake fits.
        right_part: of two parts the one that is right throughout, or "".
    """

    item: Property
    trial: Trial
    part: str
    mutants: list[Mutant]
    misbehaviour: Misbehaviour | None
    unused: list[str]
    right_part: str


Finding = NoFunction | OtherArguments | TooLong | Told | Misbehaviour | Broken


@dataclass(frozen=True, eq=False)
class Verdict:
    """All that was found; ``finding`` is None where all is right, or nothing is written yet.

    The seed, status, parts, code and diagnosis are those of the Result.
    """

    exercise: Exercise
    seed: int | None
    status: str
    finding: Finding | None = None
    parts: Parts = ()
    code: str = ""
    diagnosis: str | None = None
