"""Checks of what the widgets are given; each error names the argument and what came."""

from collections.abc import Mapping, Sequence, Set

import torch

from course_lib.figures.map_validation import spelt_out

MOST_LETTERS = 60  # of a wrong value in an error


def shortened(value: object) -> str:
    """Return a value as an error shows it."""
    text = repr(value)
    return text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…"


def checked_tokens(name: str, tokens: Sequence[str], most: int) -> list[str]:
    """Return 1 to ``most`` tokens as texts that can be seen, see ``spelt_out``."""
    if isinstance(tokens, str | bytes):
        raise TypeError(f"{name} must be a list of texts, got one text: split it first")
    if isinstance(tokens, torch.Tensor):
        tokens = tokens.tolist()
    try:
        if isinstance(tokens, Mapping | Set):  # no order, or no texts
            raise TypeError
        texts = [spelt_out(token) for token in tokens]
    except TypeError as error:
        raise TypeError(f"{name} must be a list of texts, got {type(tokens).__name__}") from error
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
    """Return a detached float64 tensor on the CPU."""
    try:
        tensor = torch.as_tensor(tensor).detach().cpu()
        tensor = tensor if tensor.layout == torch.strided else tensor.to_dense()
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(
            f"{name} must be a tensor or an array of numbers, got {shortened(tensor)}: {error}"
        ) from error
    if not tensor.is_floating_point():
        raise TypeError(f"{name} must have a floating dtype, got {tensor.dtype}")
    return tensor.double()


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
