"""Answers to earliest_seen (lesson 14, exercise 1), right and wrong, as students write them."""

import torch


# wrong: cut at 1 instead of 0
# named: stops_at_one
def cut_at_one(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = 1 if window == 0 else max(1, earliest - window + 1)
        found.append(earliest)
    return found


# wrong: every layer starts from the position
# named: each_alone
def each_layer_alone(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = 0 if window == 0 else max(0, position - window + 1)
        found.append(earliest)
    return found


# wrong: half of the window lies behind
# named: both_sides
def half_a_window(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = 0 if window == 0 else max(0, earliest - window // 2)
        found.append(earliest)
    return found


# wrong: distances instead of positions
# named: distances
def how_far_back(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = 0 if window == 0 else max(0, earliest - window + 1)
        found.append(position - earliest)
    return found


# wrong: the largest window so far, as often as there are layers
def largest_window(windows, position):
    found = []
    for i in range(1, len(windows) + 1):
        back = (max(windows[:i]) - 1) * i
        found.append(0 if 0 in windows[:i] else max(0, position - back))
    return found


# wrong: only the last number
def last_alone(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = 0 if window == 0 else max(0, earliest - window + 1)
        found.append(earliest)
    return found[-1]


# wrong: pops the windows from the list
# named: changes_input
def list_emptied(windows, position):
    found, earliest = [], position
    while windows:
        window = windows.pop(0)
        earliest = 0 if window == 0 else max(0, earliest - window + 1)
        found.append(earliest)
    return found


# wrong: not cut at 0
# named: before_zero
def negative(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = 0 if window == 0 else earliest - window + 1
        found.append(earliest)
    return found


# wrong: the position itself stands in front
def position_too(windows, position):
    found, earliest = [position], position
    for window in windows:
        earliest = 0 if window == 0 else max(0, earliest - window + 1)
        found.append(earliest)
    return found


# right
def right_huge_window(windows, position):
    steps = [(window or 10**9) - 1 for window in windows]
    return [max(0, position - sum(steps[: i + 1])) for i in range(len(steps))]


# right
def right_loop(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = 0 if window == 0 else max(0, earliest - window + 1)
        found.append(earliest)
    return found


# right
def right_places_marked(windows, position):
    seen = {position}
    found = []
    for window in windows:
        for place in list(seen):
            first = 0 if window == 0 else max(0, place - window + 1)
            seen |= set(range(first, place))
        found.append(min(seen))
    return found


# right
def right_tensors(windows, position):
    found, earliest = [], torch.tensor(position)
    for window in windows:
        back = earliest if window == 0 else torch.minimum(earliest, torch.tensor(window - 1))
        earliest = earliest - back
        found.append(earliest)
    return found


# right
def right_tuple(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = 0 if window == 0 else max(0, earliest - window + 1)
        found.append(earliest)
    return tuple(found)


# wrong: begins with the last layer
# named: from_the_top
def top_down(windows, position):
    found, earliest = [], position
    for window in windows[::-1]:
        earliest = 0 if window == 0 else max(0, earliest - window + 1)
        found.append(earliest)
    return found


# wrong: back by the window, not by one less
# named: window_itself
def whole_window_back(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = 0 if window == 0 else max(0, earliest - window)
        found.append(earliest)
    return found


# wrong: a window of 0 is subtracted like the others
# named: zero_as_a_window
def zero_as_a_number(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = max(0, earliest - window + 1)
        found.append(earliest)
    return found


# wrong: a window of 0 sees nothing more
# named: none_sees_itself
def zero_sees_nothing(windows, position):
    found, earliest = [], position
    for window in windows:
        earliest = earliest if window == 0 else max(0, earliest - window + 1)
        found.append(earliest)
    return found


# wrong: from the last layer to the first
# named: answer_reversed
def last_layer_first(windows, position):
    seen = []
    for w in windows:
        position = 0 if not w else max(0, position - w + 1)
        seen.insert(0, position)
    return seen
