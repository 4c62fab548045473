"""How the numbers of a drawing come about: what a live drawing says of a number, and frames.

A drawing names its tensors. One that is drawn has a place; one that is not, such as W_Q in the
drawing of a head, has only its numbers. A rule says how a tensor is made of others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

import torch

DECIMALS = 6  # of the numbers that a page gets; it shows two


@dataclass(frozen=True)
class Place:
    """Where a tensor is drawn: its upper left corner, and the width and height of a cell."""

    role: str
    left: float
    top: float
    cell: tuple[float, float]


@dataclass(frozen=True)
class Dot:
    """A number is a row of one tensor times a row of another, divided by ``over``."""

    rows: str
    by: str
    over: float = 1.0
    over_words: str = ""  # such as √2
    then: str = ""  # the name of a function that the sum goes through


@dataclass(frozen=True)
class Masked:
    """A number of ``scores``, or minus infinity where ``mask`` is False."""

    scores: str
    mask: str


@dataclass(frozen=True)
class Softmax:
    """A row is the softmax of the same row of ``scores``."""

    scores: str


@dataclass(frozen=True)
class Mix:
    """A number is a column of ``values``, each row as much as its weight says.

    ``weights`` names a tensor for each column. ``seen`` is drawn in the place of values that are
    not drawn: its rows are where the lines begin.
    """

    weights: tuple[str, ...]
    values: str
    seen: str = ""


@dataclass(frozen=True)
class Taken:
    """The columns of ``sources``, side by side, from column ``start`` on."""

    sources: tuple[str, ...]
    start: int = 0


@dataclass(frozen=True)
class Sum:
    """A number is the sum of those in its place."""

    terms: tuple[str, ...]


@dataclass(frozen=True)
class Norm:
    """A row of ``rows``, less its mean, divided by its spread."""

    rows: str


Rule = Dot | Masked | Softmax | Mix | Taken | Sum | Norm


@dataclass(frozen=True)
class Answers:
    """All that a drawing can say of its numbers.

    ``tensors`` holds the numbers of each, (tokens, features), by the name that its place has;
    ``called`` what a sentence calls it, where that is another word. ``to_find``: the page says what
    a number is made of, and no number.
    """

    tokens: Sequence[str]
    tensors: Mapping[str, torch.Tensor]
    rules: Mapping[str, Rule]
    called: Mapping[str, str]
    to_find: bool = False

    def as_json(
        self, steps: Sequence[str], lit: str | None, places: Mapping[str, tuple[str, Place]]
    ) -> dict:
        """Return it as a page gets it. Minus infinity is None.

        ``steps`` are the parts of the drawing in order, ``places`` the part and the place of each
        tensor that is drawn.
        """
        assert set(places) <= set(self.tensors) and set(self.rules) <= set(self.tensors)
        tensors = {}
        for name, tensor in self.tensors.items():
            entry: dict[str, Any] = {"called": self.called.get(name, name)}
            entry["numbers"] = [
                [round(x, DECIMALS) if isfinite(x) else None for x in row]
                for row in tensor.double().tolist()
            ]
            if name in places:
                part, place = places[name]
                entry |= {"part": part} | asdict(place)
            if rule := self.rules.get(name):
                entry["rule"] = {"kind": type(rule).__name__} | asdict(rule)
            tensors[name] = entry
        step = None if lit is None else list(steps).index(lit)
        known = {"steps": list(steps), "step": step, "tokens": list(self.tokens)}
        return known | {"tensors": tensors, "toFind": self.to_find}
