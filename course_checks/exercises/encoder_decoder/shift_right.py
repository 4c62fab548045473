"""Lesson 09, exercise 1: what the decoder reads in training, the right answer one position late."""

import torch
from torch import int32, int64

from course_checks.exercise import Case, Exercise, Property


def shift_right(target, start):
    read = target.roll(1, dims=1)  # (batch, length)
    read[:, 0] = start
    return read


MISTAKES = """
shifted_left: roll(1 -> roll(-1 && read[:, 0] -> read[:, -1]
or: lambda target, start: target.roll(-1, dims=1)
    You shift left: position i reads the token at i + 1, which it must write. It has to read the
    token at i - 1, and position 0 the start token.
last_kept: return read -> return torch.cat((read, target[:, -1:]), dim=1)
    Your row is longer by one than the target. The start token comes in, so the last goes out.
first_dropped: target.roll(1, dims=1) -> target.clone()
or: target.roll(1, dims=1) -> target.clone() && read[:, 0] -> read[:, -1]
or: lambda target, start: target.clone()
    The tokens stand where they stood, so position i still reads the very token that it must write.
    Drop the last token and put the start token in front.
without_start: return read -> return read[:, 1:]
    You drop the last token and put nothing in front. Position 0 has to read the start token.
rolled: read[:, 0] = start ->
    Your last token comes back in at the front. The start token belongs there.
rolled_through_the_rows: roll(1, dims=1) -> roll(1) && read[:, 0] -> read[:0]
or: roll(1, dims=1) -> roll(1) && read[:, 0] -> read[0, 0]
    Without dims, roll treats the batch as one long row: a sentence begins with the last token of
    the one before it. Each has to begin with the start token.
only_first_sentence: read[:, 0] -> read[0, 0]
    Only the first sentence has the start token. All rows need it: read[:, 0], not read[0, 0].
over_sentences: roll(1, dims=1) -> roll(1, dims=0) && read[:, 0] -> read[0]
    You shift along the batch, from sentence to sentence. Shift along the positions: dimension 1.
overwritten: _overwritten(start_first=True) || _overwritten(start_first=False)
    You copy from left to right within one tensor, so the first token overwrites all the others.
    Read from target and write into another tensor.
zero_in_front: = start -> = 0 || = 1
    Your first token is always the same number. F.pad and torch.zeros put 0 there; put start there.
twice: lambda target, start: shift_right(shift_right(target, start), start)
    You shift by two positions, and the start token stands there twice. Shift by one.
"""


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
