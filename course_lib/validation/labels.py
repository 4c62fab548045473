"""Checks of labels and other plain values of figures and widgets: texts, places, mappings."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np
import torch

CONTROL = ("Cc", "Cs", "Zl", "Zp")  # control characters, half characters, line separators
UNSEEN = ("Cf", "Mn", "Me", "Zs")  # spaces, joiners, marks that sit on another character
SPACE_SIGNS = ("Ġ", "▁")
SPACES = str.maketrans({"Ġ": " ", "▁": " ", "Ċ": "\n"})
NONCHARACTERS = "\ufffe\uffff"
MOST_LETTERS = 60  # of a wrong value in an error


def shortened(value: object) -> str:
    """Return a value as an error shows it."""
    return fitted(repr(value), MOST_LETTERS)


def fitted(text: str, most: int) -> str:
    """Return the text, or its beginning, an ellipsis and its end: at most ``most`` letters."""
    end = (most - 1) // 2
    return text if len(text) <= most else text[: most - 1 - end] + "…" + text[-end:]


def is_place(value: Any, count: int) -> bool:
    """Whether this is the number of one of ``count`` things, counted from 0."""
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return is_whole and 0 <= value < count


def checked_mapping(name: str, value: object, holds: str) -> Mapping:
    """Return a mapping, or say what it should hold."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a dict, {holds}, got {type(value).__name__}")
    return value


def listed(name: str, texts) -> list:
    """Return texts in their order; what has none, such as a set, is refused."""
    if isinstance(texts, str | bytes):
        raise TypeError(f"{name} must be a list of texts, got one text: split it first")
    try:
        if isinstance(texts, Mapping | Set):  # no order, or no texts
            raise TypeError
        return list(texts.tolist() if isinstance(texts, torch.Tensor) else texts)
    except TypeError as error:
        raise TypeError(f"{name} must be a list of texts, got {type(texts).__name__}") from error


def checked_tokens(name: str, tokens: Sequence[str], most: int, if_more: str = "") -> list[str]:
    """Return 1 to ``most`` tokens as texts that can be seen; ``if_more`` is said of more."""
    texts = [spelt_out(token) for token in without_space_signs(listed(name, tokens))]
    if not 1 <= len(texts) <= most:
        words = f"{name} must hold 1 to {most} tokens, got {len(texts)}"
        raise ValueError(words + (if_more if texts else ""))
    return texts


def without_space_signs(tokens: Iterable) -> list:
    """Return the tokens with a space for the signs that tokenizers write for it, Ġ and ▁.

    ``tokenizer.convert_ids_to_tokens`` returns them. Where a token has a space, none is a sign.
    """
    texts = list(tokens)
    words = [text for text in texts if isinstance(text, str)]
    if any(" " in word for word in words) or not any(
        word.startswith(SPACE_SIGNS) for word in words
    ):
        return texts
    return [text.translate(SPACES) if isinstance(text, str) else text for text in texts]


def spelt_out(token: object) -> str:
    """Return the token as text that can be seen, in one line.

    Control characters are spelt out (``\\n``), and so is a token in which nothing can be seen: a
    space becomes ``␣``, and a token without any character ``(empty)``. All else stays as it is.
    """
    text = str(token.tolist() if isinstance(token, torch.Tensor) else token)
    if not text:
        return "(empty)"
    is_unseen = all(unicodedata.category(character) in UNSEEN for character in text)
    hidden = CONTROL + UNSEEN if is_unseen else CONTROL

    def seen(character: str) -> str:
        if is_unseen and character == " ":
            return "␣"
        if unicodedata.category(character) in hidden or character in NONCHARACTERS:
            return character.encode("unicode_escape").decode()  # such as \n, \x1b or \u2028
        return character

    return "".join(map(seen, text))
