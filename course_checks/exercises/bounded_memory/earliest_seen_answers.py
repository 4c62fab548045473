"""Answers to earliest_seen (lesson 14, exercise 1), right and wrong, as students write them."""

from itertools import accumulate

import torch

from course_lib.attention.windows import reach


# right
def sets(windows, position):
    """All positions that are known, layer by layer."""
    known, after = {position}, []
    for window in windows:
        width = window or position + 1
        known = {j for i in known for j in range(max(i - width + 1, 0), i + 1)}
        after.append(min(known))
    return after


# right
def sums(windows, position):
    back = accumulate(w - 1 if w > 0 else position for w in windows)
    return [max(position - b, 0) for b in back]


# right
def table(windows, position):
    """Boolean masks, multiplied."""
    length = position + 1
    gap = torch.arange(length)[:, None] - torch.arange(length)
    seen, after = torch.eye(length), []
    for window in windows:
        mask = ((gap >= 0) & (gap < (window or length))).float()
        seen = mask @ seen
        after.append(int(seen[position].nonzero()[0]))
    return torch.tensor(after)


# wrong: the largest window so far, as often as there are layers
# points: 2
def largest_window(windows, position):
    earliest_of_layers = []
    for i in range(1, len(windows) + 1):
        back = (max(windows[:i]) - 1) * i
        earliest_of_layers.append(0 if 0 in windows[:i] else max(0, position - back))
    return earliest_of_layers


# wrong: pops the windows from the list
# named: changes_input
# points: 5
def list_emptied(windows, position):
    earliest_of_layers, earliest = [], position
    while windows:
        window = windows.pop(0)
        earliest = 0 if window == 0 else max(0, earliest - window + 1)
        earliest_of_layers.append(earliest)
    return earliest_of_layers


# wrong: returns one number for all layers
# says: a list of numbers
def all_at_once(windows, position):
    return max(position - sum(window - 1 for window in windows), 0)


# wrong: calls the library
# named: forbidden
def by_the_library(windows, position):
    return [
        max(int(position - reach(windows[: n + 1])), 0) if all(windows[: n + 1]) else 0
        for n in range(len(windows))
    ]


# wrong: says that every layer sees the first token
# says: for windows [
def from_the_beginning(windows, position):
    return [0 for _ in windows]


# wrong: from the last layer to the first
# named: answer_reversed
def last_layer_first(windows, position):
    seen = []
    for w in windows:
        position = 0 if not w else max(0, position - w + 1)
        seen.insert(0, position)
    return seen


# other inputs
def other_inputs(generator):
    yield from (
        ([5, 2, 3], 20),
        ([2, 2, 7], 5),
        ([3, 0, 4], 12),
        ([0, 2], 3),
        ([1, 4, 1, 2], 6),
        ([6], 5),
    )
