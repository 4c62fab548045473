"""What the worker and the process that grades one submission share."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grading.sandbox import Limits
from grading.submissions import Submission

if TYPE_CHECKING:  # which brings nbgrader and torch, and a worker does without
    from grading.release import Release


@dataclass(frozen=True)
class Task:
    """A submission on its way to a worker, with what its result says of its making."""

    submission: Submission
    key: str
    made_of: dict[str, str]


@dataclass(frozen=True)
class Settings:
    """How submissions are graded: the same for all of a run.

    Without a sandbox, ``as_user`` is a command that runs what follows it as another user, if any.
    """

    limits: Limits
    sandbox: bool
    seed: int
    as_user: tuple[str, ...] = ()


@dataclass(frozen=True)
class Job:
    """A task with all that grading it needs; ``workplace`` is for what is temporary."""

    settings: Settings
    task: Task
    release: "Release"
    workplace: Path
