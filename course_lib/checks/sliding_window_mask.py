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


def _blocks(length, window):
    block = torch.arange(length) // window
    return (block[:, None] == block).tril()


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
            "blocks",
            "Your tokens see their own block of `window` tokens. A sliding window moves on with "
            "every token.",
            _blocks,
        ),
    ),
)
