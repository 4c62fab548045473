"""Lesson 09, exercise 1: what the decoder reads in training, the right answer one position late."""

import torch
from torch import int32, int64

from course_lib.checks.exercise import Case, Exercise, Mistake, Property


def shift_right(target, start):
    read = target.roll(1, dims=1)  # (batch, length)
    read[:, 0] = start
    return read


def _column(target, token):
    return torch.full_like(target[:, :1], token)


def _joined(*parts):
    return torch.cat(parts, dim=1)


def _first_replaced(target, start):
    return _joined(_column(target, start), target[:, 1:])


def _over_sentences(target, start):
    return torch.cat((torch.full_like(target[:1], start), target[:-1]))


def _through_the_rows(target, start):
    """The whole batch as one long row: each sentence begins with the last token of another."""
    row = target.flatten()
    return torch.cat((torch.full_like(row[:1], start), row[:-1])).reshape(target.shape)


def _only_first_sentence(target, start):
    read = target.roll(1, dims=1)
    read[0, 0] = start
    return read


def _overwritten(start_first):
    """A loop from left to right in one tensor."""

    def version(target, start):
        read = target.clone()
        if start_first:
            read[:, 0] = start
        for i in range(1, read.shape[1]):
            read[:, i] = read[:, i - 1]
        read[:, 0] = start
        return read

    return version


def _starts_with(token):
    return lambda target, start: shift_right(target, token)


def _tokens(generator, batch, length, dtype=int64):
    """Different tokens from 10 on, (batch, length), and a start token from 2 to 9."""
    drawn = 10 + torch.randperm(batch * length + 5, generator=generator, device="cpu")
    target = drawn[: batch * length].reshape(batch, length).to(dtype)
    return target, int(torch.randint(2, 10, (), generator=generator, device="cpu"))


def _cases(*shapes):
    return lambda generator: [Case(_tokens(generator, *shape)) for shape in shapes]


def _others(generator):
    target, start = _tokens(generator, 2, 5)
    repeated = target[:, [0, 0, 1, 1, 0]]
    return [
        Case((target, int(target[0, 2])), label="a start token that stands in the target too"),
        Case((repeated, start), label="tokens that repeat"),
        Case((target, 0), label="start token 0"),
        Case(_tokens(generator, 3, 2, dtype=int32), label="integers of 32 bits"),
        Case(_tokens(generator, 3, 1), label="a single token in each sentence"),
    ]


EXERCISE = Exercise(
    lesson="09",
    number=1,
    reference=shift_right,
    returns={"read": "(batch, length)"},
    properties=(
        Property(
            "each sentence reads the start token, then its own tokens up to the last but one",
            2,
            _cases((1, 3), (2, 4)),
        ),
        Property("the sentences of a batch stay apart", 1, _cases((3, 3), (4, 2), (2, 6))),
        Property("the same holds for any start token and for any tokens", 1, _others),
    ),
    mistakes=(
        Mistake(
            "shifted_left",
            "You shift left: position i reads the token at i + 1, and the start token stands at "
            "the end. Position i has to read the token at i - 1, which is written already.",
            lambda target, start: _joined(target[:, 1:], _column(target, start)),
        ),
        Mistake(
            "rolled_left",
            "You shift left: position i reads the token at i + 1. Position i has to read the token "
            "at i - 1, which is written already, and position 0 the start token.",
            lambda target, start: target.roll(-1, dims=1),
        ),
        Mistake(
            "last_kept",
            "Your row is longer by one than the target. The start token comes in, so the last "
            "token goes out: no position has it behind itself.",
            lambda target, start: _joined(_column(target, start), target),
        ),
        Mistake(
            "first_dropped",
            "You put the start token in the first token's stead. So position i still reads the "
            "very token that it must write. Drop the last token, not the first.",
            _first_replaced,
        ),
        Mistake(
            "start_at_the_end",
            "The start token stands at the end, and nothing has moved: position i reads the very "
            "token that it must write. Put it in front: then all others move by one.",
            lambda target, start: _joined(target[:, :-1], _column(target, start)),
        ),
        Mistake(
            "without_start",
            "You drop the last token and put nothing in front. Position 0 has to read something "
            "too: the start token.",
            lambda target, start: target[:, :-1],
        ),
        Mistake(
            "rolled",
            "You roll: the last token comes back in at the front. So position 0 reads the end of "
            "the answer. The start token belongs there.",
            lambda target, start: target.roll(1, dims=1),
        ),
        Mistake(
            "rolled_through_the_rows",
            "Without dims, roll treats the batch as one long row: each sentence begins with the "
            "last token of the sentence before it. Its first token has to be the start token.",
            lambda target, start: target.roll(1),
        ),
        Mistake(
            "one_long_row",
            "You treat the batch as one long row: only the first sentence has the start token, and "
            "each other one begins with the last token of its neighbour. Every sentence needs its "
            "own: (batch, 1).",
            _through_the_rows,
        ),
        Mistake(
            "only_first_sentence",
            "Only the first sentence of the batch has the start token. All rows need it: "
            "read[:, 0], not read[0, 0].",
            _only_first_sentence,
        ),
        Mistake(
            "over_sentences",
            "You shift along the batch: each sentence reads the whole one before it. Shift along "
            "the positions, dimension 1.",
            _over_sentences,
        ),
        Mistake(
            "overwritten",
            "You copy from left to right within one tensor. So the first token overwrites the "
            "second before that one has moved, and so on to the end. Read from target and write "
            "into another tensor.",
            _overwritten(start_first=True),
            also=(_overwritten(start_first=False),),
        ),
        Mistake(
            "zero_in_front",
            "Your first token is always 0. F.pad and torch.zeros put that there; put start there.",
            _starts_with(0),
        ),
        Mistake(
            "one_in_front",
            "Your first token is always 1. Put start there: torch.full, or times start.",
            _starts_with(1),
        ),
        Mistake(
            "twice",
            "You shift by two positions: the start token stands there twice. By one is enough, so "
            "that position i reads the token at i - 1.",
            lambda target, start: shift_right(shift_right(target, start), start),
        ),
        Mistake(
            "unchanged",
            "You hand back the target as it came. Position i would read the very token that it "
            "must write.",
            lambda target, start: target.clone(),
        ),
        Mistake(
            "reversed",
            "You turn the sentence round. The order stays; everything moves by one position.",
            lambda target, start: target.flip(1),
        ),
    ),
)
