"""Lesson 09, exercise 1: what the decoder reads in training, the right answer one position late."""

import torch
from torch import int32, int64

from course_lib.checks.exercise import Case, Exercise, Property


def shift_right(target, start):
    read = target.roll(1, dims=1)  # (batch, length)
    read[:, 0] = start
    return read


MISTAKES = """
shifted_left: roll(1 -> roll(-1 && read[:, 0] -> read[:, -1]
    You shift left: position i reads the token at i + 1, and the start token stands at the end.
    Position i has to read the token at i - 1, which is written already.
rolled_left: lambda target, start: target.roll(-1, dims=1)
    You shift left: position i reads the token at i + 1. Position i has to read the token at i - 1,
    which is written already, and position 0 the start token.
last_kept: lambda target, start: _joined(_column(target, start), target)
    Your row is longer by one than the target. The start token comes in, so the last token goes out:
    no position has it behind itself.
first_dropped: target.roll(1, dims=1) -> target.clone()
    You put the start token in the first token's stead. So position i still reads the very token
    that it must write. Drop the last token, not the first.
start_at_the_end: target.roll(1, dims=1) -> target.clone() && read[:, 0] -> read[:, -1]
    The start token stands at the end, and nothing has moved: position i reads the very token that
    it must write. Put it in front: then all others move by one.
without_start: lambda target, start: target[:, :-1]
    You drop the last token and put nothing in front. Position 0 has to read something too: the
    start token.
rolled: read[:, 0] = start ->
    You roll: the last token comes back in at the front. So position 0 reads the end of the answer.
    The start token belongs there.
rolled_through_the_rows: lambda target, start: target.roll(1)
    Without dims, roll treats the batch as one long row: each sentence begins with the last token of
    the sentence before it. Its first token has to be the start token.
one_long_row: roll(1, dims=1) -> roll(1) && read[:, 0] -> read[0, 0]
    You treat the batch as one long row: only the first sentence has the start token, and each other
    one begins with the last token of its neighbour. Every sentence needs its own: (batch, 1).
only_first_sentence: read[:, 0] -> read[0, 0]
    Only the first sentence of the batch has the start token. All rows need it: read[:, 0], not
    read[0, 0].
over_sentences: roll(1, dims=1) -> roll(1, dims=0) && read[:, 0] -> read[0]
    You shift along the batch: each sentence reads the whole one before it. Shift along the
    positions, dimension 1.
overwritten: _overwritten(start_first=True)
or: _overwritten(start_first=False)
    You copy from left to right within one tensor. So the first token overwrites the second before
    that one has moved, and so on to the end. Read from target and write into another tensor.
zero_in_front: = start -> = 0
    Your first token is always 0. F.pad and torch.zeros put that there; put start there.
one_in_front: = start -> = 1
    Your first token is always 1. Put start there: torch.full, or times start.
twice: lambda target, start: shift_right(shift_right(target, start), start)
    You shift by two positions: the start token stands there twice. By one is enough, so that
    position i reads the token at i - 1.
unchanged: lambda target, start: target.clone()
    You hand back the target as it came. Position i would read the very token that it must write.
reversed: lambda target, start: target.flip(1)
    You turn the sentence round. The order stays; everything moves by one position.
"""


def _column(target, token):
    return torch.full_like(target[:, :1], token)


def _joined(*parts):
    return torch.cat(parts, dim=1)


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
    mistakes=MISTAKES,
)
