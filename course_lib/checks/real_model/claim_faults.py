"""What is wrong with a claim about a head of SmolLM2: its form, its numbers, its prediction."""

import math
import operator
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import torch

from course_lib.checks.judge.answers import kind_of
from course_lib.checks.score_cases import causal, draw_weights
from course_lib.data.recorded import load_maps

PARTS = ("score", "found", "control", "beats", "predicted", "held")
KEYS = ("layer", "head", "claim", "score", "found", "control", "predicted", "held")
NUMBERS = ("found", "control", "predicted")
ROUNDING = 0.01  # how far a number may be from what is measured
MARGIN = 0.05  # by how much a head must beat its control
ON_KEPT_ASIDE = "is measured on the sentences kept aside."
OF_ANOTHER_HEAD = "found is the number of another head."
_SLACK = 0.005  # the stored weights are rounded

Text = tuple[list[str], torch.Tensor]  # pieces, and weights (num_layers, num_heads, length, length)


class Fault(str):
    """What is wrong, in words that stand for the mistake, and the numbers of this very claim.

    Two of them are equal when the words are: the same mistake can be made with any head.
    """

    numbers = ""

    def __new__(cls, words: str, numbers: str = "") -> "Fault":
        fault = super().__new__(cls, words)
        fault.numbers = numbers
        return fault

    def __format__(self, spec: str) -> str:
        return f"{str(self)} {self.numbers}".strip()


@cache
def texts(kept_aside: bool) -> list[Text]:
    return list(load_maps(kept_aside=kept_aside).values())


def observe(function: Callable) -> dict[str, str] | str | None:
    """What is wrong with the claim that ``function`` makes, by part."""
    claim = function()
    if claim is None:
        return None
    if misfit := _misfit(claim):
        return misfit
    measured = Measured(claim["score"], int(claim["layer"]), int(claim["head"]))
    if wrong := _wrong_score(measured):
        waiting = "It can be judged when the score is a share that depends on the weights."
        return {"score": wrong, **dict.fromkeys(PARTS[1:], waiting)}
    found, control, predicted = (float(claim[name]) for name in NUMBERS)
    faults = {
        "score": "",
        "found": _wrong_found(found, measured),
        "control": _wrong_control(control, measured),
        "beats": _beaten(measured),
        "predicted": _wrong_prediction(predicted, measured),
        "held": _wrong_outcome(predicted, claim["held"], measured),
    }
    if faults["found"] == OF_ANOTHER_HEAD:
        faults |= dict.fromkeys(("control", "beats", "held"), "It is told of another head.")
    if (
        faults["found"] == f"found {ON_KEPT_ASIDE}"
        and faults["control"] == f"control {ON_KEPT_ASIDE}"
    ):
        faults["control"] = ""  # the same mistake, which costs once
    return faults


def _misfit(claim: Any) -> str:
    if not isinstance(claim, dict):
        return f"Your function should return a dictionary. It returned {kind_of(claim)}."
    if missing := [key for key in KEYS if key not in claim]:
        return f"Your dictionary has no {' and no '.join(map(repr, missing))}."
    num_layers, num_heads = texts(kept_aside=False)[0][1].shape[:2]
    for key, size in (("layer", num_layers), ("head", num_heads)):
        if not _is_index(claim[key], size):
            return (
                f"{key!r} should be a whole number from 0 to {size - 1}. Yours is {claim[key]!r}."
            )
    if not isinstance(claim["claim"], str) or len(claim["claim"].split()) < 4:
        return f"'claim' should be a sentence of four words or more. Yours is {claim['claim']!r}."
    if not callable(claim["score"]):
        return (
            "'score' should be the function itself, which takes (weights, pieces). Yours is "
            f"{kind_of(claim['score'])}."
        )
    for key in NUMBERS:
        number = _number(claim[key])
        if number is None or not math.isfinite(number):
            return f"{key!r} should be a number. Yours is {claim[key]!r}."
    if claim["held"] is not None and not _is_true_or_false(claim["held"]):
        return (
            "'held' should be True or False, or None until you have looked. Yours is "
            f"{claim['held']!r}."
        )
    return ""


def _is_index(value: Any, size: int) -> bool:
    try:
        return not _is_true_or_false(value) and 0 <= operator.index(value) < size
    except TypeError:
        return False


def _is_true_or_false(value: Any) -> bool:
    is_tensor = isinstance(value, torch.Tensor) and value.numel() == 1
    return isinstance(value, (bool, np.bool_)) or (is_tensor and value.dtype == torch.bool)


def _number(value: Any) -> float | None:
    """A number of any kind as a float; None for everything else, True and False among it."""
    if isinstance(value, str) or _is_true_or_false(value):
        return None
    if isinstance(value, torch.Tensor) and value.numel() != 1:
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


class Measured:
    """What a score gives for a head, for its control, and for whatever they are mistaken for."""

    def __init__(self, score: Callable, layer: int, head: int) -> None:
        self.score, self.layer, self.head = score, layer, head
        self.num_layers, self.num_heads = texts(kept_aside=False)[0][1].shape[:2]
        self.one_by_one = cache(self._one_by_one)

    def value(self, weights: torch.Tensor, pieces: list[str]) -> Any:
        """What the score returns, on copies that it may change."""
        return self.score(weights.clone(), list(pieces))

    def _one_by_one(self, layer: int, head: int, kept_aside: bool) -> list[float]:
        return [
            float(self.value(weights[layer, head], pieces)) for pieces, weights in texts(kept_aside)
        ]

    def mean(self, layer: int, head: int, kept_aside: bool = False) -> float:
        return _mean(self.one_by_one(layer, head, kept_aside))

    def found(self, kept_aside: bool = False) -> float:
        return self.mean(self.layer, self.head, kept_aside)

    def others(self, kept_aside: bool = False) -> list[float]:
        """One number for each of the other heads of the layer."""
        heads = (head for head in range(self.num_heads) if head != self.head)
        return [self.mean(self.layer, head, kept_aside) for head in heads]

    def control(self, kept_aside: bool = False) -> float:
        return _mean(self.others(kept_aside))

    def with_itself(self) -> float:
        return _mean([*self.others(), self.found()])

    def of_equal_weights(self) -> float:
        """What a head would score that looks at all keys alike."""
        values = []
        for pieces, _ in texts(kept_aside=False):
            allowed = causal(len(pieces)).float()
            values.append(float(self.value(allowed / allowed.sum(dim=-1, keepdim=True), pieces)))
        return _mean(values)

    def of_the_model(self) -> float:
        """The mean over all other heads of all layers."""
        heads = product(range(self.num_layers), range(self.num_heads))
        return _mean([self.mean(*one) for one in heads if one != (self.layer, self.head)])

    def near_heads(self) -> list[tuple[int, int]]:
        """Heads that it may be confused with: of its layer or the next ones, or turned round."""
        layers = range(max(0, self.layer - 1), min(self.num_layers, self.layer + 2))
        near = [*product(layers, range(self.num_heads))]
        near += [(self.head, self.layer)] if self.layer < self.num_heads else []
        return [one for one in near if one != (self.layer, self.head)]


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _wrong_score(measured: Measured) -> str:
    """Whether it is a share for any map, and not the same for all of them."""
    changes = False
    all_texts = texts(kept_aside=False) + texts(kept_aside=True)
    for pieces, weights in all_texts:
        length = len(pieces)
        drawn = draw_weights(torch.default_generator, length, length, mask=causal(length))
        where = f"for a text of {length} tokens."
        numbers = []
        for each in [*weights[measured.layer], drawn]:
            try:
                value = measured.value(each, pieces)
            except (ArithmeticError, IndexError, RuntimeError, StopIteration, ValueError) as error:
                if any(_is_measured(measured, text) for text in all_texts):
                    error.args = (f"{error}{'. ' if str(error) else ''}{_nothing_in(pieces)}",)
                raise
            number = _number(value)
            if number is None:
                return Fault("the score gives no number.", f"It gives {kind_of(value)} {where}")
            if not math.isfinite(number):
                return Fault("the score is not always finite.", f"It gives {number} {where}")
            if not -_SLACK <= number <= 1 + _SLACK:
                return Fault("the score is no share.", f"It gives {number:.2f} {where}")
            numbers.append(number)
        changes = changes or max(numbers) - min(numbers) > _SLACK
    return "" if changes else Fault("the score does not depend on the weights.")


def _is_measured(measured: Measured, text: Text) -> bool:
    """Whether the score gives a number for this text."""
    pieces, weights = text
    try:
        return _number(measured.value(weights[measured.layer, measured.head], pieces)) is not None
    except Exception:  # whatever the student's function raises
        return False


def _nothing_in(pieces: list[str]) -> str:
    return (
        f"It came for the text {''.join(pieces).strip()!r}; for others your score gives a number. "
        "Where a text has nothing to measure, return 0.0."
    )


def _wrong_found(found: float, measured: Measured) -> str:
    right = measured.found()
    if abs(found - right) <= ROUNDING:
        return ""
    numbers = f"You say {found:g}; the mean over the five sentences is {right:.3f}."
    one_by_one = measured.one_by_one(measured.layer, measured.head, False)
    known = {
        "found is in percent.": [100 * right],
        f"found {ON_KEPT_ASIDE}": [measured.found(kept_aside=True)],
        "found is a sum over the sentences.": [sum(one_by_one)],
        "found is the number of one sentence.": one_by_one,
    }
    for words, candidates in known.items():
        if any(_is_meant(found, one) for one in candidates):
            return Fault(words, numbers)
    for layer, head in measured.near_heads():
        if _is_meant(found, measured.mean(layer, head)):
            of = f"It fits head {head} of layer {layer}."
            return Fault(OF_ANOTHER_HEAD, f"{numbers} {of}")
    return Fault("found is not what the score gives.", numbers)


def _wrong_control(control: float, measured: Measured) -> str:
    right = measured.control()
    if abs(control - right) <= ROUNDING:
        return ""
    numbers = f"You say {control:g}; the mean over the other eight heads is {right:.3f}."
    known = {
        "control is in percent.": lambda: 100 * right,
        "control has the head itself in it.": measured.with_itself,
        f"control {ON_KEPT_ASIDE}": lambda: measured.control(True),
        "control is a sum over the heads.": lambda: sum(measured.others()),
        "control is the largest of the other heads.": lambda: max(measured.others()),
        "control is what equal weights would give.": measured.of_equal_weights,
        "control is the mean over the other heads of all layers.": measured.of_the_model,
    }
    for words, candidate in known.items():
        if _is_meant(control, candidate()):
            return Fault(words, numbers)
    return Fault("control is not what the score gives for the other heads.", numbers)


def _is_meant(told: float, measured: float) -> bool:
    """Equal, if the one was rounded to two decimals, or to a whole number of percent."""
    return abs(told - measured) <= (0.51 if measured > 10 else 0.0051)


def _beaten(measured: Measured) -> str:
    found, control = measured.found(), measured.control()
    if found >= control + MARGIN:
        return ""
    numbers = f"The head has {found:.3f}, the others of its layer {control:.3f} in the mean."
    return Fault("the head does not beat its control.", numbers)


def _wrong_prediction(predicted: float, measured: Measured) -> str:
    if predicted > 1:
        return Fault("predicted is above 1.", f"You predict {predicted:g}.")
    if predicted <= measured.control():
        numbers = f"You predict {predicted:g}, and the control is {measured.control():.3f}."
        return Fault("predicted is not above the control.", numbers)
    return ""


def _wrong_outcome(predicted: float, held: Any, measured: Measured) -> str:
    if held is None:
        return Fault("held does not say yet what came.")
    least = predicted / 100 if predicted > 1 else predicted  # percent are named elsewhere
    came = measured.found(kept_aside=True)
    if abs(came - least) <= ROUNDING / 2 or bool(held) == (came >= least):
        return ""
    numbers = f"On the sentences kept aside the head has {came:.3f}; at least {least:g} was said."
    told = "True, and the prediction failed" if held else "False, and the prediction came true"
    return Fault(f"held says {told}.", numbers)
