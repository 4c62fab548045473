"""Checks of what the widgets are given; each error names the argument and what came."""

import math
from collections.abc import Sequence

import torch
import traitlets

from course_lib.figures.map_validation import spelt_out


def checked_tokens(name: str, tokens: Sequence[str], most: int) -> list[str]:
    """Return 1 to ``most`` tokens as texts, control characters spelt out."""
    if isinstance(tokens, str):
        raise TypeError(f"{name} must be a list of texts, got one text: split it first")
    tokens = [spelt_out(token) for token in tokens]
    if not 1 <= len(tokens) <= most:
        raise ValueError(f"{name} must hold 1 to {most} tokens, got {len(tokens)}")
    return tokens


def floats(name: str, tensor) -> torch.Tensor:
    """Return a detached float64 tensor on the CPU."""
    try:
        tensor = torch.as_tensor(tensor)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"{name} must be a tensor or an array of numbers: {error}") from error
    if not tensor.is_floating_point():
        raise TypeError(f"{name} must have a floating dtype, got {tensor.dtype}")
    return tensor.detach().cpu().double()


def finite_floats(name: str, tensor) -> torch.Tensor:
    """Return what ``floats`` returns, without NaN and infinite numbers."""
    tensor = floats(name, tensor)
    wrong = ~tensor.isfinite()
    if wrong.any():
        raise ValueError(f"{name} must be finite, got {int(wrong.sum())} NaN or infinite numbers")
    return tensor


def checked_temperature(temperature: float) -> float:
    """Return the temperature, for a trait."""
    if not 0 < temperature < math.inf:
        raise traitlets.TraitError(f"temperature must be above 0, got {temperature}")
    return temperature
