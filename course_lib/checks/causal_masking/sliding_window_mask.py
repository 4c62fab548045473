"""Lesson 05, exercise 7: a causal mask that also forgets."""

import torch
from torch import ones

from course_lib.checks.exercise import Case, Exercise, Mutant, Property


def sliding_window_mask(length, window):
    everything = ones(length, length, dtype=torch.bool)
    return everything.tril() & everything.triu(diagonal=1 - window)


def _back(condition):
    """True where ``condition`` holds of how many tokens the key lies back, and the window."""

    def version(length, window):
        positions = torch.arange(length)
        return condition(positions[:, None] - positions, window)

    return version


def _negative_start(length, window):
    mask = ~ones(length, length, dtype=torch.bool)
    for i in range(length):
        mask[i, i - window + 1 : i + 1] = True
    return mask


def _cases(*pairs):
    return lambda generator: [Case(pair) for pair in pairs]


def _drawn(generator):
    length = int(torch.randint(7, 10, (), generator=generator, device="cpu"))
    window = int(torch.randint(2, length - 3, (), generator=generator, device="cpu"))
    return [Case((4, 2)), Case((5, 3)), Case((length, window))]


EXERCISE = Exercise(
    lesson="05",
    number=7,
    reference=sliding_window_mask,
    returns={"mask": "(length, length)"},
    dtype=torch.bool,
    properties=(
        Property("each token may attend to the last `window` tokens, itself included", 2, _drawn),
        Property("with a window of 1 it may attend to itself alone", 1, _cases((3, 1), (5, 1))),
        Property(
            "a window as long as the sentence, or longer, leaves the causal mask",
            1,
            _cases((3, 3), (4, 6), (1, 2)),
        ),
    ),
    mutants=(
        Mutant(
            "one_too_many",
            "Your window is one token too wide: `window` counts the token itself, so the key that "
            "lies `window` tokens back is outside.",
            _back(lambda back, window: (back >= 0) & (back <= window)),
        ),
        Mutant(
            "one_too_few",
            "Your window is one token too narrow: `window` counts the token itself and window - 1 "
            "before it.",
            _back(lambda back, window: (back >= 0) & (back < window - 1)),
        ),
        Mutant(
            "without_itself",
            "Your window holds the tokens before each one and not the token itself; the first one "
            "has nothing to attend to.",
            _back(lambda back, window: (back > 0) & (back <= window)),
        ),
        Mutant(
            "past_only",
            "Your mask leaves out the token itself: tril(-1) ends before the diagonal, tril() with "
            "it. The first token has nothing to attend to.",
            _back(lambda back, window: (back > 0) & (back < window)),
        ),
        Mutant(
            "wrong_sign",
            "Your second edge lies on the future's side, where the first one leaves nothing: "
            "triu(diagonal=window - 1) moves it to the right, negative numbers move it to the "
            "left.",
            _back(lambda back, window: (back >= 0) & (back <= 1 - window)),
        ),
        Mutant(
            "looks_ahead",
            "Your window reaches to both sides. It should be causal as well: no key after the "
            "query.",
            _back(lambda back, window: back.abs() < window),
        ),
        Mutant(
            "wrong_way",
            "Your window lies ahead of each token: it should hold the tokens before it. Rows are "
            "queries, columns are keys.",
            _back(lambda back, window: (back <= 0) & (back > -window)),
        ),
        Mutant(
            "no_window",
            "Your mask is the causal one: nothing is ever forgotten. Where is the other edge, "
            "`window` tokens back?",
            _back(lambda back, window: back >= 0),
        ),
        Mutant(
            "not_causal",
            "Your mask forgets the old tokens and does not block the future: combine both edges "
            "with &.",
            _back(lambda back, window: back < window),
        ),
        Mutant(
            "or_for_and",
            "You combine the two edges with |: a key is allowed when either side allows it, and "
            "that is always so. Both must: &.",
            _back(lambda back, window: (back >= 0) | (back < window)),
        ),
        Mutant(
            "inverted",
            "Your mask is True where a key is blocked. Here True means may attend.",
            _back(lambda back, window: (back < 0) | (back >= window)),
        ),
        Mutant(
            "negative_start",
            "Your rows are right but for the first ones, which are empty: there i - window + 1 is "
            "negative, and a negative start counts from the end. max(0, ...) stops it.",
            _negative_start,
        ),
    ),
)
