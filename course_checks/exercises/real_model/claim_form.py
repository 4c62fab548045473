"""Whether a claim about a head has the form that was asked for: its entries, and what they are."""

import math
import operator
from typing import Any

import numpy as np
import torch

from course_checks.exercises.real_model.measured_heads import texts
from course_checks.judge.answers import kind_of

KEYS = ("layer", "head", "claim", "score", "found", "control", "predicted", "held")
NUMBERS = ("found", "control", "predicted")


def misfit(claim: Any) -> str:
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
        number = number_of(claim[key])
        if number is None or not math.isfinite(number):
            return f"{key!r} should be a number. Yours is {claim[key]!r}."
    if claim["held"] is not None and not is_true_or_false(claim["held"]):
        return (
            "'held' should be True or False, or None until you have looked. Yours is "
            f"{claim['held']!r}."
        )
    return ""


def _is_index(value: Any, size: int) -> bool:
    try:
        return not is_true_or_false(value) and 0 <= operator.index(value) < size
    except TypeError:
        return False


def is_true_or_false(value: Any) -> bool:
    is_tensor = isinstance(value, torch.Tensor) and value.numel() == 1
    return isinstance(value, (bool, np.bool_)) or (is_tensor and value.dtype == torch.bool)


def number_of(value: Any) -> float | None:
    """A number of any kind as a float; None for everything else, True and False among it."""
    if isinstance(value, str) or is_true_or_false(value):
        return None
    if isinstance(value, torch.Tensor) and value.numel() != 1:
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
