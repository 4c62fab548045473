"""Traits of the widgets: what they refuse, they refuse in words, in a call and when set later.

Each error names the trait, what was expected and what came. Numbers may be numpy's or torch's.
"""

import math
import operator
from collections.abc import Iterable

import traitlets

from course_lib.validation.labels import shortened


def refusal(name: str | None, expected: str, value: object) -> traitlets.TraitError:
    """Return the error that says so."""
    return traitlets.TraitError(f"{name} must be {expected}, got {shortened(value)}")


def whole_number(name: str | None, value: object) -> int:
    """Return an integer; True, 2.0 and "2" are none."""
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise refusal(name, "an integer", value) from error


def in_range(name: str, value: int, count: int) -> int:
    """Return the place of one of ``count`` things, counted from 0."""
    if not 0 <= value < count:
        raise traitlets.TraitError(f"{name} must be from 0 to {count - 1}, got {value}")
    return value


def pair_of_head(name: str, value: object, layers: int, heads: int) -> list[int]:
    """Return [layer, head]."""
    try:
        layer, head = (whole_number(name, number) for number in value)  # type: ignore[attr-defined]
        if 0 <= layer < layers and 0 <= head < heads:
            return [layer, head]
    except (TypeError, ValueError, traitlets.TraitError):
        pass
    raise traitlets.TraitError(
        f"{name} must name heads, each a pair (layer from 0 to {layers - 1}, head from 0 to "
        f"{heads - 1}), got {value!r}"
    )


def heads_in_order(name: str, pairs: Iterable, layers: int, heads: int) -> list[list[int]]:
    """Return heads [layer, head] in order, each once."""
    checked = {tuple(pair_of_head(name, pair, layers, heads)) for pair in pairs}
    return [list(pair) for pair in sorted(checked)]


def checked_choice(name: str | None, value: object, known: list):
    """Return the value if it is one of the known ones."""
    if value not in known:
        raise refusal(name, "one of " + ", ".join(map(repr, known)), value)
    return value


def checked_temperature(value: object) -> float:
    """Return a finite number above 0."""
    temperature = _number("temperature", value)
    if not 0 < temperature < math.inf:
        raise traitlets.TraitError(f"temperature must be above 0 and finite, got {temperature}")
    return temperature


class WholeNumber(traitlets.Int):
    def validate(self, obj, value):
        return whole_number(self.name, value)


class YesNo(traitlets.Bool):
    """True or False; a text such as "no" would count as True."""

    def validate(self, obj, value):
        if not isinstance(value, bool):
            raise refusal(self.name, "True or False", value)
        return value


class Text(traitlets.Unicode):
    def validate(self, obj, value):
        if not isinstance(value, str):
            raise refusal(self.name, "a text", value)
        return value


class Choice(traitlets.Enum):
    def validate(self, obj, value):
        return checked_choice(self.name, value, list(self.values or ()))


class Temperature(traitlets.Float):
    """What scores are divided by."""

    def validate(self, obj, value):
        return checked_temperature(value)


class Point(traitlets.List):
    """Two finite numbers."""

    def validate(self, obj, value):
        expected = "two finite numbers, such as (0.5, -1.0)"
        try:
            numbers = [_number(self.name, number) for number in value]
        except (TypeError, traitlets.TraitError) as error:
            raise refusal(self.name, expected, value) from error
        if len(numbers) != 2 or not all(map(math.isfinite, numbers)):
            raise refusal(self.name, expected, value)
        return numbers


class Row(traitlets.List):
    """A list; what it holds is checked by its widget."""

    def validate(self, obj, value):
        if not isinstance(value, list | tuple):
            raise refusal(self.name, "a list", value)
        return list(value)


def _number(name: str | None, value: object) -> float:
    """Return a float; a text that looks like a number is none."""
    if isinstance(value, str | bytes | bool):
        raise refusal(name, "a number", value)
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, RuntimeError) as error:
        raise refusal(name, "a number", value) from error
