"""Known mistakes: a name, what is wrong in the right answer's source, and a sentence that helps.

Most are written as text, all of an exercise in one string::

    no_scale: / math.sqrt(query.shape[-1]) ->
        Your scores are not divided by sqrt(d_k).
    over_queries: dim=-1 -> dim=-2 || dim=0
    or: lambda query, key: softmax(scores(query, key).T, dim=-1).T
    evidence: column_sums()
        Your softmax runs over the queries. Each query shares out its own weight: dim=-1.

- ``old -> new`` edits the source of the reference. ``old`` stands there once, however it is broken
  into lines. ``old => new`` edits all places of several. ``&&`` joins edits. What has no arrow is
  an expression, where an edit would be harder to read: a lambda, or the name of a function.
- Behind ``||`` and on a line ``or:`` stands other code with the same mistake and other answers. An
  edit has its ``old`` once: ``old -> new || newer`` are two edits.
- ``evidence:`` is an expression, for a function like those of ``judge/observations.py``.
- The indented lines are the sentence; ``{NAME}`` in it is a string of the same names.

Edits and expressions know the names of the reference's module, of ``HELPERS`` and of ``NAMES``, and
``reference``.
"""

import inspect
import linecache
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from typing import Any

import torch

Evidence = Callable[[tuple, dict, dict], str]
NAMES = {"math": math, "torch": torch, "nn": torch.nn, "F": torch.nn.functional}

HELPERS = (
    "course_checks.judge.observations",
    "course_checks.judge.gradient",
    "course_checks.own_class",
)

ARROW = re.compile(r"(?:^|\s)([-=]>)(?:\s|$)")
HEAD = re.compile(r"(\w+):(?:\s+|$)(.*)")


class UnfitMistake(ValueError):
    """What is written of a mistake does not fit its exercise; the message names both."""


@dataclass(frozen=True, eq=False)
class Mistake:
    """A wrong version of the exercise's function, and what to say to whoever makes this mistake.

    Attributes:
        name: of the mistake, in lower case with underscores; it is unique in its exercise.
        sentence: what helps. It must be true, word by word, of all ``functions``.
        wrong: the code with the mistake, which takes the arguments of the reference, or its text.
        evidence: ``evidence(args, expected, got)`` may add a sentence with the numbers of this very
            run; ``expected`` and ``got`` are the answers by part, such as ``got["weights"]``.
        also: other code with the same mistake and other answers.
        reference: what the text edits; the exercise gives it.
    """

    name: str
    sentence: str
    wrong: Callable | str
    evidence: Evidence | str | None = None
    also: tuple[Callable | str, ...] = ()
    reference: Callable | None = None

    @cached_property
    def functions(self) -> tuple[Callable, ...]:
        """All wrong versions. They are made when they are first asked for.

        Raises:
            UnfitMistake: an edit does not fit the reference, or what comes of it is not Python.
        """
        return tuple(map(self.made, (self.wrong, *self.also)))

    @property
    def function(self) -> Callable:
        return self.functions[0]

    def sentences(self, args: tuple, expected: dict, got: dict | None) -> list[str]:
        """The sentence, and the evidence where there is an answer."""
        if self.evidence is None or got is None:
            return [self.sentence]
        return [self.sentence, self.made(self.evidence)(args, expected, got)]

    def made(self, written: Any) -> Any:
        """What the text ``written`` stands for; what is no text is that itself.

        Raises:
            UnfitMistake: an edit does not fit the reference, or what comes of it is not Python.
        """
        if not isinstance(written, str):
            return written
        try:
            return _from_text(self.reference, written, self.name)
        except Exception as error:  # a text may raise anything: it is code
            exercise = getattr(self.reference, "__name__", "no reference")
            raise UnfitMistake(
                f"{exercise}, mistake {self.name}: {error}. It is written {written!r}."
            ) from error


def read_mistakes(
    written: str | Mistake | Iterable[str | Mistake], reference: Callable
) -> tuple[Mistake, ...]:
    """All mistakes in order, each of which knows the ``reference``.

    Raises:
        UnfitMistake: the text is in another form than the module's docstring says.
    """
    if isinstance(written, Mistake):
        return (replace(written, reference=reference),)
    if not isinstance(written, str):
        return tuple(mistake for part in written for mistake in read_mistakes(part, reference))

    def string(name):
        return _names(reference)[name[1]]

    entries: list[dict[str, Any]] = []
    for line in written.splitlines():
        if line[:1].isspace() and entries:
            entries[-1]["sentence"].append(line.strip())
        elif (match := HEAD.fullmatch(line)) and (entries or match[1] not in ("or", "evidence")):
            key, text = match[1], " ".join(match[2].split())  # a line may go on behind a backslash
            if key not in ("or", "evidence"):
                entries.append({"name": key, "wrong": [], "evidence": None, "sentence": []})
            if key == "evidence":
                entries[-1]["evidence"] = text
            else:
                entries[-1]["wrong"] += _alternatives(text)
        elif line.strip():
            raise UnfitMistake(
                f"{reference.__name__}: a line of mistakes should begin with a name and a colon, "
                f"or with spaces where it is a sentence. It is {line!r}."
            )
    return tuple(
        Mistake(entry["name"], sentence, first, entry["evidence"], (*also,), reference)
        for entry in entries
        for first, *also in [entry["wrong"]]
        for sentence in [re.sub(r"\{([A-Z_]+)\}", string, " ".join(entry["sentence"]))]
    )


def _alternatives(text: str) -> list[str]:
    """The texts between "||"; those without an arrow edit what the first one edits."""
    first, *others = text.split(" || ")
    parts = ARROW.split(first)
    if len(parts) != 3:  # no edit, or several
        return [first, *others]
    return [
        first,
        *(text if ARROW.search(text) else f"{parts[0]} {parts[1]} {text}" for text in others),
    ]


def _names(reference: Any) -> dict[str, Any]:
    """What texts know by name."""
    names = NAMES | {"reference": reference}
    for module in (*HELPERS, reference.__module__):  # the helpers import this module in their turn
        names |= vars(import_module(module))
    return names


def _from_text(reference: Any, text: str, name: str) -> Any:
    """What the text stands for. A traceback quotes its lines, with the numbers of the module."""
    file = f"{inspect.getfile(reference)} ({name}: {text})"
    names = _names(reference)
    is_edit = ARROW.search(text) is not None
    source = text
    if is_edit:
        lines, first = _source_lines(reference)
        source = "\n" * (first - 1) + edited("".join(lines), text)
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    made = eval(compile(source, file, "exec" if is_edit else "eval"), names)
    return names[reference.__name__] if is_edit else made


@cache
def _source_lines(reference: Any) -> tuple[list[str], int]:
    """Of a class, Python reads the whole module each time."""
    return inspect.getsourcelines(reference)


def edited(source: str, edits: str) -> str:
    """``source`` after ``edits``, all of which look at it as it was.

    Raises:
        ValueError: what an edit looks for does not stand there once, or with "=>" several times.
    """
    changes = []
    for edit in edits.split("&&"):
        parts = ARROW.split(edit)
        if len(parts) != 3:
            raise ValueError(f"an edit should be 'old -> new', it is {edit.strip()!r}")
        old, arrow, new = (part.strip() for part in parts)
        pattern = r"\s+".join(map(re.escape, old.split()))
        spans = [match.span() for match in re.finditer(pattern, source)] if old else []
        if (len(spans) != 1) if arrow == "->" else (len(spans) < 2):
            wanted = "once" if arrow == "->" else "several times"
            raise ValueError(
                f"{old!r} should stand in the reference {wanted}, not {len(spans)} times"
            )
        changes += [(start, end, new) for start, end in spans]
    changes.sort(reverse=True)
    for (start, _, _), (_, end, _) in zip(changes, changes[1:], strict=False):
        if start < end:
            raise ValueError(f"two edits meet in {edits!r}")
    for start, end, new in changes:
        source = source[:start] + new + source[end:]
    return source
