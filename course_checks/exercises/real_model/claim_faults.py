"""What is wrong with a claim about a head of SmolLM2: its form, its numbers, its prediction."""

import math
from collections.abc import Callable
from typing import Any

import torch

from course_checks.exercises.real_model.claim_form import NUMBERS, misfit, number_of
from course_checks.exercises.real_model.measured_heads import Measured, Text, texts
from course_checks.judge.answers import kind_of
from course_checks.score_cases import causal, draw_weights

PARTS = ("score", "found", "control", "beats", "predicted", "held")
ROUNDING = 0.01  # how far a number may be from what is measured
MARGIN = 0.05  # by how much a head must beat its control
ON_KEPT_ASIDE = "is measured on the sentences kept aside."
OF_ANOTHER_HEAD = "found is the number of another head."
_SLACK = 0.005  # the stored weights are rounded


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


def observe(function: Callable) -> dict[str, Any] | str | None:
    """The claim that ``function`` makes, with all that its score gave until a verdict was reached.

    The verdict itself is ``conclude``'s, who asks for the same numbers in the same order.
    """
    claim = function()
    if claim is None:
        return None
    if sentence := misfit(claim):
        return sentence
    given: list[float | str] = []

    def score(weights: torch.Tensor, pieces: list[str]) -> float | str:
        value = claim["score"](weights, pieces)
        number = number_of(value)
        given.append(kind_of(value) if number is None else number)
        return given[-1]

    claimed: dict[str, Any] = {key: int(claim[key]) for key in ("layer", "head")}
    claimed |= {name: float(claim[name]) for name in NUMBERS}
    claimed["held"] = None if claim["held"] is None else bool(claim["held"])
    _faults_of(claimed, score)
    return claimed | {"given": given}


def conclude(seen: dict[str, Any]) -> dict[str, str]:
    given = iter(seen["given"])
    return _faults_of(seen, lambda weights, pieces: next(given, math.nan))


def _faults_of(claim: dict[str, Any], score: Callable) -> dict[str, str]:
    measured = Measured(score, claim["layer"], claim["head"])
    if wrong := _wrong_score(measured):
        waiting = "It can be judged when the score is a share that depends on the weights."
        return {"score": wrong, **dict.fromkeys(PARTS[1:], waiting)}
    found, control, predicted = (claim[name] for name in NUMBERS)
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


def _wrong_score(measured: Measured) -> str:
    """Whether it is a share for any map, and not the same for all of them."""
    changes = False
    all_texts: list[tuple[list[str], Any]] = texts(kept_aside=False) + texts(kept_aside=True)
    pieces, weights = all_texts[0]  # under a causal mask a corner is the map of the beginning
    all_texts += [(pieces[:n], weights[..., :n, :n]) for n in (4, 5, 6)]
    unseen = pieces[::-1]
    size = (6, len(unseen), len(unseen))
    maps = draw_weights(torch.default_generator, *size, mask=causal(len(unseen)))
    all_texts.append((unseen, {measured.layer: maps}))
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
            if isinstance(value, str):
                return Fault("the score gives no number.", f"It gives {value} {where}")
            if not math.isfinite(value):
                return Fault("the score is not always finite.", f"It gives {value} {where}")
            if not -_SLACK <= value <= 1 + _SLACK:
                return Fault("the score is no share.", f"It gives {value:.2f} {where}")
            numbers.append(value)
        changes = changes or max(numbers) - min(numbers) > _SLACK
    if changes and numbers[0] and max(numbers) == min(numbers):  # those of the unseen text
        return Fault("the score does not depend on the weights of another text.")
    return "" if changes else Fault("the score does not depend on the weights.")


def _is_measured(measured: Measured, text: Text) -> bool:
    """Whether the score gives a number for this text."""
    pieces, weights = text
    try:
        return isinstance(measured.value(weights[measured.layer, measured.head], pieces), float)
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
        if any(_is_meant(found, candidate) for candidate in candidates):
            return Fault(words, numbers)
    for layer, head in measured.near_heads():
        if _is_meant(found, measured.mean(layer, head)):
            where = f"It fits head {head} of layer {layer}."
            return Fault(OF_ANOTHER_HEAD, f"{numbers} {where}")
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


def _is_meant(stated: float, measured: float) -> bool:
    """Equal, if the one was rounded to two decimals, or to a whole number of percent."""
    return abs(stated - measured) <= (0.51 if measured > 10 else 0.0051)


def _beaten(measured: Measured) -> str:
    found, control = measured.found(), measured.control()
    if found >= control + MARGIN:
        return ""
    numbers = f"The head has {found:.3f}, the others of its layer {control:.3f} in the mean."
    return Fault("the head does not beat its control.", numbers)


def _wrong_prediction(predicted: float, measured: Measured) -> str:
    if predicted > 1:
        return Fault("predicted is above 1.", f"You predict {predicted:g}.")
    if not predicted > measured.control():
        numbers = f"You predict {predicted:g}, and the control is {measured.control():.3f}."
        return Fault("predicted is not above the control.", numbers)
    return ""


def _wrong_outcome(predicted: float, held: Any, measured: Measured) -> str:
    if held is None:
        return Fault("held does not say yet what came.")
    least = predicted / 100 if predicted > 1 else predicted  # percent are named elsewhere
    came = measured.found(kept_aside=True)
    if abs(came - least) <= ROUNDING / 2 or held == (came >= least):
        return ""
    numbers = f"On the sentences kept aside the head has {came:.3f}; at least {least:g} was said."
    answer = "True, and the prediction failed" if held else "False, and the prediction came true"
    return Fault(f"held says {answer}.", numbers)
