"""Answers to sliding_window_mask (lesson 05, exercise 7), right and wrong, as students write them."""

import torch


# right
def by_positions(length, window):
    positions = torch.arange(length)
    back = positions.unsqueeze(1) - positions.unsqueeze(0)
    return torch.logical_and(back >= 0, back < window)


# right
def difference(length, window):
    causal = torch.ones(length, length).tril()
    return (causal - causal.tril(-window)).bool()


# wrong: cuts the text into blocks of window tokens
# named: blocks
def blocks(length, window):
    i = torch.arange(length)
    return (i[:, None] // window == i // window) & (i[:, None] >= i)


# wrong: sees window - 1 tokens ahead as well
# named: looks_ahead
def both_sides_3(length, window):
    i = torch.arange(length)
    return (i[:, None] - i).abs() < window


# wrong: begins only where a whole window fits
# named: whole_windows_only
def first_rows_empty(length, window):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for i in range(window - 1, length):
        mask[i, i - window + 1 : i + 1] = True
    return mask


# wrong: ones and zeros as floats
# named: dtype
# points: 4
def floats(length, window):
    ones = torch.ones(length, length)
    return ones.tril() * ones.triu(1 - window)


# wrong: cuts the mask out of a table of 128 by 128
# named: from_a_table
# points: 3
def table_of_128(length, window):
    i = torch.arange(128)
    table = (i[:, None] >= i) & (i[:, None] - i < window)
    return table[:length, :length]


# wrong: two axes too many, for batch and heads
# named: more_dimensions
def two_dimensions_more(length, window):
    i = torch.arange(length)
    distance = i[:, None] - i
    return ((distance >= 0) & (distance < window))[None, None]


# wrong: a rectangle of window rows
def window_by_length(length, window):
    return torch.ones(window, length, dtype=torch.bool).tril(length - window)


# wrong: a window of 3, whatever window is
# named: three_always
def window_of_three(length, window):
    i = torch.arange(length)
    return (i[:, None] >= i) & (i[:, None] - i < 3)


# wrong: rolls, so that the first tokens see the last ones
# named: wrapped
def wraps_round(length, window):
    mask = torch.zeros(length, length, dtype=torch.bool)
    for back in range(window):
        mask |= torch.eye(length, dtype=torch.bool).roll(-back, dims=1)
    return mask


# wrong: the window lies in the past and begins one token too late
# named: past_only
def one_behind(length, window):
    return torch.ones(length, length).bool().tril(-1).triu(1 - window)


# other inputs
def other_inputs(generator):
    yield from ((6, 1), (6, 2), (7, 5), (3, 8))
