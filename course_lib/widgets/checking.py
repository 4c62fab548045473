"""Checks of what the widgets are given; each error names the argument and what came."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch

from course_lib.figures.map_validation import listed, plain_array, spelt_out, without_space_signs


def checked_tokens(name: str, tokens: Sequence[str], most: int) -> list[str]:
    """Return 1 to ``most`` tokens as texts that can be seen, see ``spelt_out``."""
    texts = [spelt_out(token) for token in without_space_signs(listed(name, tokens))]
    if not 1 <= len(texts) <= most:
        raise ValueError(f"{name} must hold 1 to {most} tokens, got {len(texts)}")
    return texts


def checked_seed(seed: int) -> int:
    """Return the seed of random numbers."""
    if type(seed) is not int or not 0 <= seed < 2**63:
        raise ValueError(f"seed must be an integer of 0 or more, got {seed!r}")
    return seed


def checked_mapping(name: str, value: object, holds: str) -> Mapping:
    """Return a mapping, or say what it should hold."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a dict, {holds}, got {type(value).__name__}")
    return value


def floats(name: str, tensor) -> torch.Tensor:
    """Return a float64 tensor on the CPU, a copy of a tensor, an array or lists of them."""
    array = plain_array(name, tensor)
    if array.dtype.kind != "f":
        raise TypeError(f"{name} must have a floating dtype, got {array.dtype}")
    return torch.from_numpy(array.astype(np.float64, order="C"))


def finite_floats(name: str, tensor, most: float = torch.finfo(torch.float32).max) -> torch.Tensor:
    """Return what ``floats`` returns, without NaN and what lies beyond ``most``."""
    tensor = floats(name, tensor)
    wrong = ~(tensor.abs() <= most)
    if wrong.any():
        count = int(wrong.sum())
        raise ValueError(
            f"{name} must be finite, got {count} NaN, infinite or greater than {most:.2g}"
        )
    return tensor
