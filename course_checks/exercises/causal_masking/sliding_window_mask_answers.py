"""Answers to sliding_window_mask (lesson 05, exercise 7), right and wrong, as students write them."""

import numpy as np
import torch


# wrong: cuts the text into blocks of window tokens
# named: blocks
def blocks(length, window):
    i = torch.arange(length)
    return (i[:, None] // window == i // window) & (i[:, None] >= i)


# wrong: cuts the text into blocks of window tokens instead of sliding
# named: blocks
def blocks_2(length, window):
    i = torch.arange(length)
    return (i[:, None] // window == i[None, :] // window) & (i[:, None] >= i)


# wrong: a band on both sides, not causal
# named: looks_ahead
def both_sides(length, window):
    i = torch.arange(length)
    return (i[:, None] - i[None, :]).abs() < window


# wrong: sees window - 1 tokens ahead as well
# named: looks_ahead
def both_sides_3(length, window):
    i = torch.arange(length)
    return (i[:, None] - i).abs() < window


# right
def cumulative(length, window):
    out = torch.zeros(length, length, dtype=torch.bool)
    for t in range(length):
        out[t, max(0, t + 1 - window) : t + 1] = True
    return out


# wrong: begins only where a whole window fits
# named: whole_windows_only
def first_rows_empty(length, window):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for i in range(window - 1, length):
        mask[i, i - window + 1 : i + 1] = True
    return mask


# wrong: every token sees the first window tokens of the text
# named: stands_still
def first_window(length, window):
    mask = torch.ones(length, length, dtype=torch.bool).tril()
    mask[:, window:] = False
    return mask


# wrong: ones and zeros as floats
# named: dtype
def floats(length, window):
    ones = torch.ones(length, length)
    return ones.tril() * ones.triu(1 - window)


# wrong: hides the last window tokens and shows the older ones
# named: older_part
def hides_window(length, window):
    return torch.ones(length, length, dtype=torch.bool).tril(-window)


# wrong: ones and zeros as integers
# named: dtype
def integers(length, window):
    ones = torch.ones(length, length, dtype=torch.int64)
    return ones.tril() & ones.triu(1 - window)


# wrong: True where a token may not attend
# named: inverted
def inverted(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ~(ones.tril() & ones.triu(-(window - 1)))


# wrong: the last window keys of the whole text, for every token
# named: stands_still
def last_keys_of_the_text(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.tril() & (torch.arange(length) >= length - window)


# wrong: rows that begin at a negative place are cut from the end
# named: negative_start
def long_windows_forgotten(length, window):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for i in range(length):
        mask[i, i - window + 1 : i + 1] = True
    return mask


# wrong: the next window tokens
# named: wrong_way
def looks_ahead(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.triu() & ones.tril(window - 1)


# wrong: the window lies ahead of the token
# named: wrong_way
def looks_ahead_2(length, window):
    d = torch.arange(length) - torch.arange(length)[:, None]
    return (d >= 0) & (d < window)


# wrong: the causal mask alone
# named: no_window
def no_window(length, window):
    return torch.ones(length, length, dtype=torch.bool).tril()


# wrong: window - 1 tokens with itself
# named: one_too_few
def one_too_few(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.tril() & ones.triu(-(window - 2))


# wrong: window earlier tokens and itself
# named: one_too_many
def one_too_many(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.tril() & ones.triu(-window)


# wrong: | in place of &
# named: or_for_and
def or_for_and(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.tril() | ones.triu(1 - window)


# right
def right_cut_out_of_a_row(length, window):
    row = [window > back >= 0 for back in range(length - 1, -length, -1)]
    return torch.tensor([row[length - 1 - i :][:length] for i in range(length)])


# right
def right_distances(length, window):
    i = torch.arange(length)
    distance = i[:, None] - i[None, :]
    return (distance >= 0) & (distance < window)


# right
def right_loop_over_rows(length, window):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for i in range(length):
        mask[i, max(0, i - window + 1) : i + 1] = True
    return mask


# right
def right_numpy_diagonals(length, window):
    mask = np.zeros((length, length), dtype=bool)
    for back in range(min(window, length)):
        mask |= np.eye(length, k=-back, dtype=bool)
    return torch.from_numpy(mask)


# right
def right_running_sum(length, window):
    """A key is seen from its own row on, for `window` rows."""
    begun = torch.eye(length).cumsum(dim=0)
    ended = torch.zeros(length, length)
    if window < length:
        ended[window:] = begun[:-window]
    return (begun - ended) > 0


# right
def right_two_triangles(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.tril() ^ ones.tril(-window)


# wrong: triu(window - 1), the wrong side of the diagonal
# named: wrong_sign
def sign_of_the_diagonal(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.tril() & ones.triu(window - 1)


# wrong: cuts the mask out of a table of 128 by 128
# named: from_a_table
def table_of_128(length, window):
    i = torch.arange(128)
    table = (i[:, None] >= i) & (i[:, None] - i < window)
    return table[:length, :length]


# wrong: a row for each key
# named: wrong_way
def transposed(length, window):
    i = torch.arange(length)
    distance = i[None, :] - i[:, None]
    return (distance >= 0) & (distance < window)


# wrong: two axes too many, for batch and heads
# named: more_dimensions
def two_dimensions_more(length, window):
    i = torch.arange(length)
    distance = i[:, None] - i
    return ((distance >= 0) & (distance < window))[None, None]


# wrong: returns whole numbers (uint8), not booleans
# named: dtype
def uint8(length, window):
    ones = torch.ones(length, length, dtype=torch.uint8)
    return ones.tril() * ones.triu(1 - window)


# wrong: the older edge alone, the future stays open
# named: not_causal
def window_alone(length, window):
    return torch.ones(length, length, dtype=torch.bool).triu(1 - window)


# wrong: a rectangle of window rows
def window_by_length(length, window):
    return torch.ones(window, length, dtype=torch.bool).tril(length - window)


# wrong: a window of 3, whatever window is
# named: three_always
def window_of_three(length, window):
    i = torch.arange(length)
    return (i[:, None] >= i) & (i[:, None] - i < 3)


# wrong: the window tokens before, not itself
# named: without_itself
def without_itself(length, window):
    ones = torch.ones(length, length, dtype=torch.bool)
    return ones.tril(-1) & ones.triu(-window)


# wrong: the last `window` tokens without itself
# named: without_itself
def without_self(length, window):
    i = torch.arange(length)
    gap = i[:, None] - i[None, :]
    return (gap > 0) & (gap <= window)


# wrong: rolls, so that the first tokens see the last ones
# named: wrapped
def wraps_round(length, window):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for back in range(window):
        mask |= torch.eye(length, dtype=torch.bool).roll(-back, dims=1)
    return mask
