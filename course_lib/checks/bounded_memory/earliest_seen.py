"""Lesson 14, exercise 1: how far back layers of windows reach, layer by layer."""

from torch import randint

from course_lib.attention.windows import reach
from course_lib.checks.exercise import Case, Exercise, Property


def earliest_seen(windows, position):
    earliest, after = position, []
    for window in windows:
        earliest = max(earliest - (window - 1), 0) if window else 0
        after.append(earliest)
    return after


MISTAKES = """
window_itself: _earliest_seen_with(step=lambda window: window)
    You go back by the window in each layer. The position's own place is one of the window's, so a
    layer goes back by window - 1.
two_less: _earliest_seen_with(step=lambda window: max(window - 2, 0))
or: _earliest_seen_with(step=lambda window: window - 2)
    You go back by window - 2. A window of 2 is the position and the one before it: it goes back by
    1, window - 1.
both_sides: _earliest_seen_with(step=lambda window: window // 2)
or: _earliest_seen_with(step=lambda window: (window - 1) // 2)
    You take half of the window, as if it lay on both sides of the position. Here it lies behind it:
    a query sees itself and the window - 1 positions before it.
each_alone: _each_alone
    You look at each layer alone. What layer 1 brought to a position, layer 2 carries further: go on
    from where the layer below has arrived.
widest: _widest
    You take the widest window so far. The layers add up: each goes on from where the one below has
    arrived.
first_window: _first_window
    You use the first window for all layers. Each layer has its own.
product: _product
    You multiply the windows. Each layer adds window - 1 positions: reach grows by a sum, layer by
    layer.
before_zero: _earliest_seen_with(stop=lambda earliest: earliest)
    Your positions become negative. The text begins at position 0, and nothing lies before it.
stops_at_one: _earliest_seen_with(stop=lambda earliest: \
        max(earliest, 1), everything=lambda earliest: 1)
or: _earliest_seen_with(stop=lambda earliest: max(earliest, 1))
    You stop at position 1. The first position is 0.
none_sees_itself: _earliest_seen_with(everything=lambda earliest: earliest)
    A layer with the number 0 moves nothing in your answer. 0 stands for no window at all: that
    layer sees all earlier positions, from 0 on.
zero_as_a_window: _earliest_seen_with(everything=lambda earliest: earliest + 1)
    You count the 0 as a window and go back by 0 - 1, which is a step forward. It stands for a layer
    without a window, which sees all earlier positions.
global_forgotten: _forgets_the_global_one
    After a layer that sees everything you go on as if it had not been there. What came from
    position 0 stays: no later layer takes it away.
from_the_top: _from_the_top
    You begin with the last layer of the list. The first one works on the input, and entry 0 is what
    is known after it.
distances: _distances
    You return how far back each goes. Asked for are the positions themselves: position minus that
    distance.
before_each_layer: _before_each
    Your entries stand one too late: entry 0 is the position before any layer. It should be the
    earliest after the first layer.
from_one: _earliest_seen_with(start=lambda position: position - 1)
    You count from one position before the query. It sees itself, so it is there that counting
    begins.
"""


# --- wrong versions -----------------------------------------------------------------------------


def _earliest_seen_with(
    step=lambda window: window - 1,
    stop=lambda earliest: max(earliest, 0),
    everything=lambda earliest: 0,
    start=lambda position: position,
):
    """A version that moves, or ends, otherwise."""

    def version(windows, position):
        earliest, after = start(position), []
        for window in windows:
            earliest = stop(earliest - step(window)) if window else everything(earliest)
            after.append(earliest)
        return after

    return version


def _each_alone(windows, position):
    return [max(position - (w - 1), 0) if w else 0 for w in windows]


def _widest(windows, position):
    return [min(_each_alone(windows[: n + 1], position)) for n in range(len(windows))]


def _first_window(windows, position):
    return earliest_seen([windows[0]] * len(windows), position)


def _product(windows, position):
    reached, after = 1, []
    for window in windows:
        reached *= window  # 0 from the first layer on that sees everything
        after.append(max(position - reached + 1, 0) if reached else 0)
    return after


def _from_the_top(windows, position):
    return earliest_seen(windows[::-1], position)


def _distances(windows, position):
    return [position - earliest for earliest in earliest_seen(windows, position)]


def _forgets_the_global_one(windows, position):
    """A layer that sees everything helps at its own turn alone."""
    reached, after = 0, []
    for window in windows:
        reached += window - 1 if window else 0
        after.append(max(position - reached, 0) if window else 0)
    return after


def _before_each(windows, position):
    return [position, *earliest_seen(windows, position)[:-1]]


def _case(windows, position):
    return Case((windows, position), label=f"windows {windows} and position {position}")


def _calls(*calls):
    return lambda generator: [_case(*call) for call in calls]


def _drawn(generator):
    def draw(least, most):
        return int(randint(least, most, (), generator=generator))

    cases = []
    for layers in (2, 4, 5):
        windows = [draw(2, 6) for _ in range(layers)]
        windows[-1] = windows[0] + 1  # they are not all the same
        cases.append(_case(windows, sum(windows) + draw(1, 9)))
    return cases


EXERCISE = Exercise(
    lesson="14",
    number=1,
    reference=earliest_seen,
    returns={"earliest": "one position for each layer"},
    kind="numbers",
    library=(reach,),
    properties=(
        Property("windows of several sizes, with room before them", 2, _drawn),
        Property(
            "nothing lies before position 0", 1, _calls(([4, 3], 2), ([3, 3, 2, 5], 4), ([5, 2], 0))
        ),
        Property(
            "a layer without a window sees everything, and those after it keep that",
            1,
            _calls(([3, 0], 7), ([2, 0, 3], 9), ([0, 4, 2], 11), ([4, 3, 0, 2], 30)),
        ),
        Property(
            "a window of 1 is the position itself", 1, _calls(([1, 1], 5), ([1, 3, 1], 8), ([1], 0))
        ),
    ),
    mistakes=MISTAKES,
)
