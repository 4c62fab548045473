"""What an exercise consists of; one module per exercise makes an ``Exercise`` from these."""

import contextlib
import dataclasses
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from types import FunctionType
from typing import Any
from unittest import mock

import torch
import torch.nn.functional as F
from torch import float32

from course_checks.mistakes import Mistake as Mistake
from course_checks.mistakes import read_mistakes


class MissingPackage(ImportError):
    """An exercise needs what is not installed; the text says what to do."""


@dataclass(frozen=True, eq=False)
class Case:
    """One call. ``expected`` is the right answer where the reference does not give it.

    ``label`` says in words what the arguments are, where their shapes do not; ``note`` is said
    behind either.
    """

    args: tuple
    expected: Any = None
    label: str = ""
    note: str = ""


Cases = Callable[[torch.Generator], Iterable[Case]]


def random_cases(*cases: tuple, dtype: torch.dtype = float32) -> Cases:
    """Cases with these arguments, where a tuple of sizes stands for random numbers of that shape:
    ``random_cases(((2, 3), 4))`` makes one case, of a matrix and the number 4."""
    return lambda generator: [
        Case(tuple(randn(generator, *a).to(dtype) if isinstance(a, tuple) else a for a in args))
        for args in cases
    ]


def all_of(*makers: Cases) -> Cases:
    """The cases of all these makers, in order."""
    return lambda generator: [case for make in makers for case in make(generator)]


@dataclass(frozen=True)
class Property:
    """A claim that a right answer fulfils.

    Attributes:
        claim: completes "This is not right yet: ...".
        points: earned when the answer is right in all cases.
        cases: makes them from a seeded torch.Generator, the smallest first.
        only: compare this part of the answer alone ("weights"); None = all of it.
        judge: instead of cases or besides, looks at the function itself and returns what is wrong
            (a sentence, the student's line) or None. A mistake's own sentence names that mistake.
        measured_inside: ``judge`` looks at what no answer shows, such as memory, the number of
            calls or the source. When a notebook is graded it runs in the student's process, which
            could give it a false picture; nothing that it names may hold a right answer.
        gradient: instead of cases, makes those in which gradients must reach every floating tensor
            among the arguments, and be those of the reference.
    """

    claim: str
    points: int
    cases: Cases = lambda generator: []
    only: str | None = None
    judge: Callable[[Callable], tuple[str, str] | None] | None = None
    measured_inside: bool = False
    gradient: Cases | None = None


@dataclass(frozen=True)
class Question:
    """What of an exercise works beside the student's function: no answer is in it.

    So it may stand in a process whose code nobody has read. The attributes are the exercise's.
    """

    name: str
    noun: str
    parameters: list[str]
    arguments: list[str]
    returns: dict[str, str]
    kind: str
    observe: Callable[..., dict[str, Any] | str | None] | None
    forbidden: tuple[tuple[Any, str, str], ...]
    may_modify: tuple[str, ...]
    library: tuple[Callable, ...]

    def answer(self, function: Callable, args: tuple) -> Any:
        """What ``function`` returns, or what ``observe`` says of it."""
        with contextlib.ExitStack() as stack:
            for owner, name, text in self.forbidden:
                stack.enter_context(mock.patch.object(owner, name, _raises(text)))
            for own in self.library:
                stack.enter_context(_forbid_library(own))
            return function(*args) if self.observe is None else self.observe(function, *args)


@dataclass(frozen=True)
class Exercise:
    """One exercise: what is to be written, what a right answer fulfils, and known mistakes.

    Attributes:
        reference: a right answer; its name and arguments are the exercise's.
        returns: the parts of the answer in order, each with its shape in words.
        properties: what the points are given for, in order; the last point is ``well_behaved``'s.
        mistakes: those that can be named, in order: the text of some (``mistakes.py`` says how it
            is read), a Mistake where its code is in Python, or several of both.
        kind: what each part is: "tensor", "numbers" (a plain sequence), "bool", "shapes" (a list
            of pairs of a name and a shape) or "observed" (where ``observe`` is given).
        optional: arguments that a right answer need not use.
        dtype: of a tensor in the answer; None = that of the inputs.
        observe: where many answers are right: ``observe(function, *args)`` calls the function and
            returns what is wrong with its answer, by part: a sentence, or "" where all is well. One
            sentence instead says that the answer has another form; None stays None. Where the
            function is a class, it builds a module and runs it: a part may be what that computes.
        conclude: where ``observe`` returns, by part, what it saw and not yet what is wrong with it:
            ``conclude(seen, *args)`` returns the parts, or one sentence. When a notebook is graded
            ``observe`` runs in the student's process, and this in the judge's.
        observed_with: further arguments of each case, which ``observe`` gets and the function does
            not, such as the numbers for a module's parameters and its input.
        forbidden: what torch has of this already: (owner, name, what to say to a function that
            calls it). While any function is judged, the reference too, a call of it raises.
        stretched: the argument with which scores grow. The last case of all is judged once more
            with this tensor 30 times as large, so that rows of a softmax saturate.
        may_modify: arguments that a right answer may modify, such as heads that it trains.
        library: what course_lib has of this already, as functions. They are forbidden as well, by
            whatever name a notebook knows them.
        when_it_varies: what to say of a function that answers differently the second time.
        package: what it needs that the course does not install, such as "triton". It gives no
            points towards a grade, and its module raises MissingPackage where that is not there.
        lesson, number: where it stands, such as "02" and 6; where they are not given, the docstring
            of the reference's module says so: "Lesson 02, exercise 6: ...".
    """

    reference: Callable
    returns: dict[str, str]
    properties: tuple[Property, ...]
    mistakes: Any  # given in one of these forms, and from then on a tuple of Mistakes
    kind: str = "tensor"
    dtype: torch.dtype | None = None
    optional: tuple[str, ...] = ()
    observe: Callable[..., dict[str, Any] | str | None] | None = None
    conclude: Callable[..., dict[str, Any] | str] | None = None
    observed_with: tuple[str, ...] = ()
    forbidden: tuple[tuple[Any, str, str], ...] = ()
    stretched: str = ""
    may_modify: tuple[str, ...] = ()
    library: tuple[Callable, ...] = ()
    when_it_varies: str = (
        "Your function gave two different answers to the same question. It depends on "
        "something besides its arguments: a variable of the notebook that changes, or "
        "random numbers."
    )
    package: str = ""
    lesson: str = ""
    number: int = 0

    def __post_init__(self) -> None:
        if not self.lesson:
            module = sys.modules[self.reference.__module__]
            place = re.match(r"Lesson (\d\d), exercise (\d+): ", module.__doc__ or "")
            if not place:
                raise ValueError(
                    f"The docstring of {module.__name__} should begin with where the exercise "
                    f"stands, such as 'Lesson 02, exercise 6: '. It is {module.__doc__!r}."
                )
            object.__setattr__(self, "lesson", place[1])
            object.__setattr__(self, "number", int(place[2]))
        object.__setattr__(self, "mistakes", read_mistakes(self.mistakes, self.reference))

    @cached_property
    def question(self) -> Question:
        fields = dataclasses.fields(Question)
        return Question(**{field.name: getattr(self, field.name) for field in fields})

    def answer(self, function: Callable, args: tuple) -> Any:
        return self.question.answer(function, args)

    @property
    def name(self) -> str:
        return self.reference.__name__

    @cached_property
    def parameters(self) -> list[str]:
        return list(inspect.signature(self.reference).parameters)

    @property
    def arguments(self) -> list[str]:
        """The names of all that a case holds."""
        return [*self.parameters, *self.observed_with]

    @property
    def noun(self) -> str:
        return "class" if isinstance(self.reference, type) else "function"

    @property
    def signature(self) -> str:
        return f"{self.name}({', '.join(self.parameters)})"

    @property
    def well_behaved(self) -> str:
        """The last claim of every exercise, which is about the function and not its answers."""
        dtype = f", gives the dtype {self.dtype}" if self.dtype else ", keeps their dtype"
        dtype = dtype if self.kind == "tensor" else ""
        return f"it leaves its inputs alone{dtype} and answers the same twice"

    @property
    def max_points(self) -> int:
        return sum(item.points for item in self.properties) + 1  # 1: well behaved


LIBRARY = (
    "Your function calls course_lib's own {}. That is the reference, the very thing to be written "
    "here: write it yourself."
)


class Forbidden(RuntimeError):
    """A function called what its exercise forbids; the text says what to do instead."""


@contextlib.contextmanager
def _forbid_library(own: Callable) -> Iterator[None]:
    """Exchange its code, not its name: a notebook may know the function by another one."""
    if not isinstance(own, FunctionType):
        raise TypeError(f"library must hold functions, got {own!r}")
    code = own.__code__
    own.__code__ = _raises(LIBRARY.format(own.__qualname__.removesuffix(".forward"))).__code__
    try:
        yield
    finally:
        own.__code__ = code


@cache
def _raises(text: str) -> FunctionType:
    """A function without a closure, so that its code fits into any other."""
    source = (
        "def forbidden(*args, **options): raise __import__({!r}, fromlist=['*']).Forbidden({!r})"
    )
    names: dict[str, Any] = {}
    exec(source.format(__name__, text), names)
    return names["forbidden"]


TORCH_ATTENTION = (
    F,
    "scaled_dot_product_attention",
    "Your function calls torch's scaled_dot_product_attention. Write it yourself here.",
)


def randn(generator: torch.Generator, *shape: int, dtype: torch.dtype = float32) -> torch.Tensor:
    """Standard normal numbers on the CPU from ``generator``, never from the global one."""
    return torch.randn(*shape, generator=generator, dtype=dtype, device="cpu")


def randint(generator: torch.Generator, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high - 1``."""
    return int(torch.randint(low, high, (), generator=generator, device="cpu"))
