"""A result with what people and the rule for late submissions add to it."""

from dataclasses import dataclass, field

from grading.late import Late
from grading.results import Result


@dataclass(frozen=True)
class Judged(Result):
    """What counts of one submission. ``points`` are a person's where there are such.

    Attributes:
        given: the cells whose points a person gave.
        comments: a person's, by check cell; the one on the whole submission has the key "".
        withdrawn: comments that count no more, since they are about an earlier answer.
        late: how late it came; None where nothing is known of that.
        nothing_judged: whether the machine could read nothing.
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
    def total(self) -> float:
        """The score, less what being late costs where that is applied."""
        off = self.late.deduction if self.late and self.late.applied else 0.0
        return max(0.0, round(self.score - off, 2))

    @property
    def late_words(self) -> str:
        return self.late.words if self.late else ""
