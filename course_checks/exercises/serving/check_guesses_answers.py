"""Answers to check_guesses (lesson 17, exercise 3), right and wrong, as students write them."""

import functools

import torch
import torch.nn.functional as F

import course_checks as checks


# right
def loop(guesses, logits, lengths):
    stand, token = [], []
    for row, scores in zip(guesses.tolist(), logits, strict=True):
        number = 0
        while number < len(row) and row[number] == scores[number].argmax():
            number += 1
        stand.append(number)
        token.append(int(scores[number].argmax()))
    stand = torch.tensor(stand)
    return stand, torch.tensor(token), lengths + stand + 1


# right
def first_wrong(guesses, logits, lengths):
    """The first wrong place, with one behind the end that is always wrong."""
    says = logits.max(-1).indices
    is_wrong = F.pad((guesses != says[:, :-1]).int(), (0, 1), value=1)
    stand = is_wrong.argmax(1)
    token = says[torch.arange(len(says)), stand]
    return stand, token, lengths.add(stand).add(1)


# wrong: all that fit
# named: all_that_fit
def sums(guesses, logits, lengths):
    best = logits.argmax(-1)
    stand = (guesses == best[:, :-1]).sum(1)
    return stand, best.gather(1, stand[:, None])[:, 0], lengths + 1 + stand


# wrong: the cache keeps everything
# named: never_rolled_back
def keeps_all(guesses, logits, lengths):
    best = logits.argmax(-1)
    stand = (guesses == best[:, :-1]).int().cumprod(1).sum(1)
    return stand, best.gather(1, stand[:, None])[:, 0], lengths + logits.shape[1]


# wrong: the rejected guess is written
# named: wrong_guess_written
def rejected(guesses, logits, lengths):
    best = logits.argmax(-1)
    stand = (guesses == best[:, :-1]).int().cumprod(1).sum(1)
    written = torch.cat([guesses, best[:, -1:]], dim=1)
    return stand, written.gather(1, stand[:, None])[:, 0], lengths + stand + 1


# wrong: the smallest number for all
# named: for_the_whole_batch
def together(guesses, logits, lengths):
    best = logits.argmax(-1)
    stand = (guesses == best[:, :-1]).int().cumprod(1).sum(1)
    stand = torch.full_like(stand, int(stand.min()))
    return stand, best.gather(1, stand[:, None])[:, 0], lengths + stand + 1


# wrong: all or none
# named: all_or_nothing
# points: 2
def all_or_none(guesses, logits, lengths):
    best = logits.argmax(-1)
    stand = torch.where((guesses == best[:, :-1]).all(1), guesses.shape[1], 0)
    return stand, best.gather(1, stand[:, None])[:, 0], lengths + stand + 1


# wrong: counts in floats
# named: dtype
# points: 7
def as_floats(guesses, logits, lengths):
    stand, token, length = checks.check_guesses.exercise.reference(guesses, logits, lengths)
    return stand.float(), token, length


# other inputs
def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for batch, number, vocab in ((4, 3, 3), (2, 5, 2), (1, 4, 2), (3, 1, 3), (2, 0, 4)):
        logits = randn(batch, number + 1, vocab)
        guesses = torch.randint(vocab, (batch, number), generator=generator)
        yield guesses, logits, torch.randint(5, 50, (batch,), generator=generator)
        right = logits.argmax(-1)[:, :number]
        yield right, logits, torch.randint(5, 50, (batch,), generator=generator)
