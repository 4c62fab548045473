"""Small tasks whose right answers are known, drawn from a generator; nothing is downloaded.

Each function draws one batch on the CPU. The same generator state gives the same batch. A size that
is no positive integer is refused by a TypeError or a ValueError.
"""

import datetime
from typing import NamedTuple

import torch

from course_lib.validation.layer_inputs import check_not_negative, check_positive

NUM_SYMBOLS = 16  # with PAD, where a task pads
NUM_ITEMS = 16  # that a pointer can point at
PAD = 0  # behind short sequences; also what a decoder may start from, as no symbol is 0
IGNORE = -100  # a target that does not count: torch's cross_entropy skips it


class SourceTarget(NamedTuple):
    """Sequences to be turned into others, (batch, length) each, padded with ``PAD``."""

    source: torch.Tensor
    target: torch.Tensor
    lengths: torch.Tensor  # (batch,), of the source


def copy_task(
    batch_size: int, min_len: int = 10, max_len: int = 10, *, generator: torch.Generator
) -> SourceTarget:
    """Draw sequences of the symbols 1 to 15 that are their own target.

    Args:
        batch_size: number of sequences.
        min_len, max_len: lengths are drawn between them, both included.
        generator: draws everything.

    Raises:
        ValueError: min_len exceeds max_len.
    """
    check_positive(batch_size=batch_size, min_len=min_len, max_len=max_len)
    if min_len > max_len:
        raise ValueError(f"min_len must be at most max_len {max_len}, got {min_len}")
    lengths = torch.randint(min_len, max_len + 1, (batch_size,), generator=generator)
    source = torch.randint(1, NUM_SYMBOLS, (batch_size, max_len), generator=generator)
    source[torch.arange(max_len) >= lengths[:, None]] = PAD
    return SourceTarget(source, source.clone(), lengths)


def reversal_task(
    batch_size: int, min_len: int = 10, max_len: int = 10, *, generator: torch.Generator
) -> SourceTarget:
    """Draw sequences whose target is the same symbols from last to first; see ``copy_task``."""
    source, _, lengths = copy_task(batch_size, min_len, max_len, generator=generator)
    mirrored = lengths[:, None] - 1 - torch.arange(max_len)  # (batch, max_len)
    target = source.gather(1, mirrored.clamp(min=0)).masked_fill(mirrored < 0, PAD)
    return SourceTarget(source, target, lengths)


class PointerBatch(NamedTuple):
    """Items, and queries that each ask for the tokens at some of their positions, in order."""

    items: torch.Tensor  # (batch, 16), tokens
    pointers: torch.Tensor  # (batch, num_queries, num_pointers), distinct positions
    targets: torch.Tensor  # (batch, num_queries, num_pointers), items at those positions


def pointer_task(
    batch_size: int, num_pointers: int, *, num_queries: int = 16, generator: torch.Generator
) -> PointerBatch:
    """Draw queries that point at ``num_pointers`` of 16 items and want their tokens in order.

    A head has one distribution per query and so can fetch one item; how many heads does it take?

    Raises:
        ValueError: ``num_pointers`` is above 16.
    """
    check_positive(batch_size=batch_size, num_pointers=num_pointers, num_queries=num_queries)
    if num_pointers > NUM_ITEMS:
        raise ValueError(f"num_pointers must be at most {NUM_ITEMS}, got {num_pointers}")
    items = torch.randint(NUM_SYMBOLS, (batch_size, NUM_ITEMS), generator=generator)
    order = torch.rand(batch_size, num_queries, NUM_ITEMS, generator=generator).argsort(dim=-1)
    pointers = order[..., :num_pointers]  # (batch, num_queries, num_pointers)
    targets = items[:, None, :].expand_as(order).gather(-1, pointers)
    return PointerBatch(items, pointers, targets)


class RepeatBatch(NamedTuple):
    """Sequences that repeat their first ``periods`` tokens until the end."""

    tokens: torch.Tensor  # (batch, length)
    periods: torch.Tensor  # (batch,)
    is_predictable: torch.Tensor  # (batch, length), True = the tokens before it determine it


def repeated_sequences(
    batch_size: int,
    *,
    length: int = 48,
    vocab_size: int = 48,
    min_period: int = 8,
    max_period: int = 24,
    generator: torch.Generator,
) -> RepeatBatch:
    """Draw sequences made of one segment of distinct symbols, repeated: a task for induction.

    The period differs from sequence to sequence, so that "look a fixed number of tokens back"
    does not solve it. The first token of the second pass cannot be foreseen, the next ones can.

    Raises:
        ValueError: the periods do not fit.
    """
    check_positive(batch_size=batch_size, length=length, vocab_size=vocab_size)
    check_positive(min_period=min_period, max_period=max_period)
    if not min_period <= max_period <= vocab_size:
        raise ValueError(
            f"max_period must be between min_period {min_period} and vocab_size {vocab_size}, "
            f"got {max_period}"
        )
    periods = torch.randint(min_period, max_period + 1, (batch_size,), generator=generator)
    shuffled = torch.rand(batch_size, vocab_size, generator=generator).argsort(dim=-1)
    positions = torch.arange(length)
    tokens = shuffled.gather(1, positions % periods[:, None])  # (batch, length)
    return RepeatBatch(tokens, periods, positions > periods[:, None])


def previous_symbol_task(
    batch_size: int, length: int, *, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """Draw tokens and targets, (batch, length) each: a token's target is the token before it.

    The first has none: its target is ``IGNORE``. Attention without positions and without a
    mask cannot do it.
    """
    check_positive(batch_size=batch_size, length=length)
    tokens = torch.randint(NUM_SYMBOLS, (batch_size, length), generator=generator)
    targets = tokens.roll(1, dims=1)
    targets[:, 0] = IGNORE
    return tokens, targets


# --- agreement of subject and verb -------------------------------------------------------------

SINGULAR_NOUNS = (
    "key", "cabinet", "picture", "table", "book", "window", "letter",
    "bottle", "chair", "flower", "lamp", "stone", "basket", "door",
)  # fmt: skip
PLURAL_NOUNS = tuple(noun + "s" for noun in SINGULAR_NOUNS)
PREPOSITIONS = ("near", "behind", "under", "beside", "above")
SINGULAR_VERBS = ("is", "was", "looks", "seems")
PLURAL_VERBS = ("are", "were", "look", "seem")
ADJECTIVES = (
    "old", "new", "small", "large", "red", "green",
    "clean", "dusty", "heavy", "light", "pretty", "plain",
)  # fmt: skip
AGREEMENT_WORDS = (
    "<pad>", "<start>", ".", "the",
    *SINGULAR_NOUNS, *PLURAL_NOUNS, *PREPOSITIONS, *SINGULAR_VERBS, *PLURAL_VERBS, *ADJECTIVES,
)  # fmt: skip
_ID = {word: i for i, word in enumerate(AGREEMENT_WORDS)}


class AgreementBatch(NamedTuple):
    """Sentences such as "<start> the keys near the cabinet are old ."."""

    tokens: torch.Tensor  # (batch, 6 + 3 * max_distractors), padded with PAD
    lengths: torch.Tensor  # (batch,)
    subject_positions: torch.Tensor  # (batch,), always 2
    verb_positions: torch.Tensor  # (batch,)
    is_plural: torch.Tensor  # (batch,), of the subject and so of the verb
    is_attractor: torch.Tensor  # (batch,), the last noun before the verb has the other number


def agreement_sentences(
    batch_size: int, *, max_distractors: int = 2, generator: torch.Generator
) -> AgreementBatch:
    """Draw sentences whose verb agrees with the first noun, across 0 or more other nouns.

    The tokens are numbers into ``AGREEMENT_WORDS``; ``agreement_text`` gives the words.

    Raises:
        ValueError: ``max_distractors`` is negative.
    """
    check_positive(batch_size=batch_size)
    check_not_negative(max_distractors=max_distractors)

    def draw_below(number: int) -> torch.Tensor:
        return torch.randint(number, (batch_size,), generator=generator)

    def draw(*words: str) -> torch.Tensor:
        return torch.tensor([_ID[word] for word in words])[draw_below(len(words))]

    is_plural = draw_below(2).bool()
    distractors = draw_below(max_distractors + 1)
    tokens = torch.full((batch_size, 6 + 3 * max_distractors), PAD)
    tokens[:, 0], tokens[:, 1] = _ID["<start>"], _ID["the"]
    tokens[:, 2] = torch.where(is_plural, draw(*PLURAL_NOUNS), draw(*SINGULAR_NOUNS))
    last_is_plural = is_plural
    for i in range(max_distractors):
        noun_is_plural = draw_below(2).bool()
        nouns = torch.where(noun_is_plural, draw(*PLURAL_NOUNS), draw(*SINGULAR_NOUNS))
        phrase = torch.stack((draw(*PREPOSITIONS), torch.full_like(nouns, _ID["the"]), nouns), 1)
        has_phrase = distractors > i
        tokens[has_phrase, 3 + 3 * i : 6 + 3 * i] = phrase[has_phrase]
        last_is_plural = torch.where(has_phrase, noun_is_plural, last_is_plural)
    verb_positions = 3 + 3 * distractors
    verbs = torch.where(is_plural, draw(*PLURAL_VERBS), draw(*SINGULAR_VERBS))
    rows = torch.arange(batch_size)
    tokens[rows, verb_positions] = verbs
    tokens[rows, verb_positions + 1] = draw(*ADJECTIVES)
    tokens[rows, verb_positions + 2] = _ID["."]
    return AgreementBatch(
        tokens=tokens,
        lengths=verb_positions + 3,
        subject_positions=torch.full((batch_size,), 2),
        verb_positions=verb_positions,
        is_plural=is_plural,
        is_attractor=last_is_plural != is_plural,
    )


def agreement_ids(*words: str) -> torch.Tensor:
    """Return the tokens of words of the grammar, (number of words,).

    Raises:
        ValueError: a word is not in the grammar.
    """
    for word in words:
        if word not in _ID:
            raise ValueError(f"words must be in AGREEMENT_WORDS, got {word!r}")
    return torch.tensor([_ID[word] for word in words], dtype=torch.long)


def agreement_text(tokens: torch.Tensor) -> list[str]:
    """Return the words of one sentence, (length,), without the padding."""
    return [AGREEMENT_WORDS[token] for token in tokens.tolist() if token != PAD]


def is_grammatical(tokens: torch.Tensor) -> bool:
    """Return whether one sentence, (length,), is one that the grammar could have produced.

    It starts with "<start>", has any number of distractor phrases, ends with ".", and its verb
    has the number of its first noun. What follows the first "." must be padding.
    """
    words = [AGREEMENT_WORDS[token] for token in tokens.tolist()]
    if "." not in words or any(word != "<pad>" for word in words[words.index(".") + 1 :]):
        return False
    words = words[: words.index(".")]
    nouns = SINGULAR_NOUNS + PLURAL_NOUNS
    if len(words) < 5 or words[:2] != ["<start>", "the"] or words[2] not in nouns:
        return False
    verbs = SINGULAR_VERBS if words[2] in SINGULAR_NOUNS else PLURAL_VERBS
    *phrases, verb, adjective = words[3:]
    if len(phrases) % 3 or verb not in verbs or adjective not in ADJECTIVES:
        return False
    return all(
        phrases[i] in PREPOSITIONS and phrases[i + 1] == "the" and phrases[i + 2] in nouns
        for i in range(0, len(phrases), 3)
    )


# --- dates -------------------------------------------------------------------------------------

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july",
    "august", "september", "october", "november", "december",
)  # fmt: skip
DATE_CHARACTERS = ("<pad>", *" ,-0123456789abcdefghijklmnopqrstuvwxyz")
_CHARACTER_ID = {character: i for i, character in enumerate(DATE_CHARACTERS)}


def date_task(batch_size: int, *, generator: torch.Generator) -> SourceTarget:
    """Draw dates from 1900 to 2099 as people write them, to be turned into the form 1961-03-02.

    The source is "2 march 1961", "march 2, 1961" or "2 mar 1961", character by character;
    ``date_text`` gives the text. Sources are padded to 18 characters, targets have 10.
    """
    check_positive(batch_size=batch_size)
    first, last = datetime.date(1900, 1, 1).toordinal(), datetime.date(2099, 12, 31).toordinal()
    days = torch.randint(first, last + 1, (batch_size,), generator=generator).tolist()
    forms = torch.randint(3, (batch_size,), generator=generator).tolist()
    source, target, lengths = [], [], []
    for ordinal, form in zip(days, forms, strict=True):
        date = datetime.date.fromordinal(ordinal)
        month = MONTHS[date.month - 1]
        text = (
            f"{date.day} {month} {date.year}",
            f"{month} {date.day}, {date.year}",
            f"{date.day} {month[:3]} {date.year}",
        )[form]
        padding = [PAD] * (18 - len(text))  # the longest is "september 30, 1961"
        source.append([_CHARACTER_ID[character] for character in text] + padding)
        target.append([_CHARACTER_ID[character] for character in date.isoformat()])
        lengths.append(len(text))
    return SourceTarget(torch.tensor(source), torch.tensor(target), torch.tensor(lengths))


def date_text(tokens: torch.Tensor) -> str:
    """Return the text of one date, (length,), without the padding."""
    return "".join(DATE_CHARACTERS[token] for token in tokens.tolist() if token != PAD)
