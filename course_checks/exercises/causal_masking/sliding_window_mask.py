"""Lesson 05, exercise 7: a causal mask that also forgets."""

import torch
from torch import ones

from course_checks.exercise import Case, Exercise, Property


def sliding_window_mask(length, window):
    everything = ones(length, length, dtype=torch.bool)
    return everything.tril() & everything.triu(diagonal=1 - window)


MISTAKES = """
one_too_many: 1 - window -> -window
    Your window is one token too wide: `window` counts the token itself, so the key that lies
    `window` tokens back is outside.
one_too_few: 1 - window -> 2 - window
    Your window is one token too narrow: `window` counts the token itself and window - 1 before it.
without_itself: tril() -> tril(-1) && 1 - window -> -window
    Your window holds the tokens before each one and not the token itself; the first one has nothing
    to attend to.
past_only: tril() -> tril(-1)
    Your mask leaves out the token itself: tril(-1) ends before the diagonal, tril() with it. The
    first token has nothing to attend to.
wrong_sign: 1 - window -> window - 1
    Your second edge lies on the future's side, where the first one leaves nothing:
    triu(diagonal=window - 1) moves it to the right, negative numbers move it to the left.
looks_ahead: tril() -> tril(diagonal=window - 1)
    Your window reaches to both sides. It should be causal as well: no key after the query.
wrong_way: tril() -> tril(diagonal=window - 1) && diagonal=1 - window ->
    Your window lies ahead of each token: it should hold the tokens before it. Rows are queries,
    columns are keys.
no_window: & everything.triu(diagonal=1 - window) ->
    Your mask is the causal one: nothing is ever forgotten. Where is the other edge, `window` tokens
    back?
not_causal: everything.tril() & ->
    Your mask forgets the old tokens and does not block the future: combine both edges with &.
or_for_and: & -> |
    You combine the two edges with |: a key is allowed when either side allows it, and that is
    always so. Both must: &.
inverted: everything.tril() & everything.triu(diagonal=1 - window) -> \
        ~(everything.tril() & everything.triu(diagonal=1 - window))
    Your mask is True where a key is blocked. Here True means may attend.
negative_start: _negative_start
    Your rows are right but for the first ones, which are empty: there i - window + 1 is negative,
    and a negative start counts from the end. max(0, ...) stops it.
from_a_table: _from_table(64) || _from_table(128) || _from_table(256) || _from_table(512)
    You cut your mask out of a table of a fixed size. A longer text runs out of it: make the mask
    from the length.
whole_windows_only: _whole_windows_only
    Your first rows are empty, since a whole window does not fit there. The first tokens may attend
    to the few that there are.
wrapped: _wrapped
    Your window goes on at the other end: the first tokens see the last ones, which are their
    future. roll and % do that; cut the window at the edge.
stands_still: everything.triu(diagonal=1 - window) -> (torch.arange(length) < window) || \
        (torch.arange(length) >= length - window)
    Your window stands still: every token sees the same keys, at one end of the text. It should move
    along with the token.
blocks: _blocks
    You cut the text into blocks of `window` tokens. The first token of a block then sees itself
    alone; each token should see the `window` last ones.
older_part: everything.tril() & everything.triu(diagonal=1 - window) -> everything.tril(-window)
    You keep what the window should hide: the tokens that lie `window` or more back.
three_always: 1 - window -> 1 - 3
    Your window holds three tokens in every case. How many it holds is window.
more_dimensions: lambda length, window: sliding_window_mask(length, window)[None, None]
or: lambda length, window: sliding_window_mask(length, window)[None]
    Your mask has dimensions for the batch and the heads as well. Two are asked for: broadcasting
    adds the others.
"""


def _negative_start(length, window):
    mask = ~ones(length, length, dtype=torch.bool)
    for i in range(length):
        mask[i, i - window + 1 : i + 1] = True
    return mask


def _from_table(size):
    """A version that cuts the mask out of a table of a fixed size."""
    return lambda length, window: sliding_window_mask(size, window)[:length, :length]


def _whole_windows_only(length, window):
    mask = sliding_window_mask(length, window)
    mask[: window - 1] = False
    return mask


def _wrapped(length, window):
    positions = torch.arange(length)
    return (positions[:, None] - positions) % length < window


def _blocks(length, window):
    block = torch.arange(length) // window
    return ones(length, length, dtype=torch.bool).tril() & (block[:, None] == block)


def _cases(*pairs):
    return lambda generator: [Case(pair) for pair in pairs]


def _drawn(generator):
    length = int(torch.randint(7, 10, (), generator=generator, device="cpu"))
    window = int(torch.randint(2, length - 3, (), generator=generator, device="cpu"))
    long = 520 + length  # no table of a fixed size holds all lengths
    return [Case((4, 2)), Case((8, 5)), Case((length, window)), Case((long, window))]


EXERCISE = Exercise(
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
    mistakes=MISTAKES,
)
