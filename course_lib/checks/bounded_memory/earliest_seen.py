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
window_itself: (window - 1) -> window
    You go back by the window in each layer. The position's own place is one of the window's, so a
    layer goes back by window - 1.
two_less: (window - 1) -> max(window - 2, 0)
or: (window - 1) -> (window - 2)
    You go back by window - 2. A window of 2 is the position and the one before it: it goes back by
    1, window - 1.
both_sides: (window - 1) -> window // 2
or: (window - 1) -> (window - 1) // 2
    You take half of the window, as if it lay on both sides of the position. Here it lies behind it:
    a query sees itself and the window - 1 positions before it.
each_alone: max(earliest - -> max(position -
    You look at each layer alone. What layer 1 brought to a position, layer 2 carries further: go on
    from where the layer below has arrived.
widest: _widest
    You take the widest window so far. The layers add up: each goes on from where the one below has
    arrived.
first_window: in windows -> in [windows[0]] * len(windows)
    You use the first window for all layers. Each layer has its own.
product: _product
    You multiply the windows. Each layer adds window - 1 positions: reach grows by a sum, layer by
    layer.
before_zero: max(earliest - (window - 1), 0) -> earliest - (window - 1)
    Your positions become negative. The text begins at position 0, and nothing lies before it.
stops_at_one: , 0) if window else 0 -> , 1) if window else 1
or: , 0) -> , 1)
    You stop at position 1. The first position is 0.
none_sees_itself: else 0 -> else earliest
    A layer with the number 0 moves nothing in your answer. 0 stands for no window at all: that
    layer sees all earlier positions, from 0 on.
zero_as_a_window: else 0 -> else earliest + 1
    You count the 0 as a window and go back by 0 - 1, which is a step forward. It stands for a layer
    without a window, which sees all earlier positions.
global_forgotten: _forgets_the_global_one
    After a layer that sees everything you go on as if it had not been there. What came from
    position 0 stays: no later layer takes it away.
from_the_top: in windows -> in windows[::-1]
    You begin with the last layer of the list. The first one works on the input, and entry 0 is what
    is known after it.
distances: append(earliest) -> append(position - earliest)
    You return how far back each goes. Asked for are the positions themselves: position minus that
    distance.
before_each_layer: return after -> return [position, *after[:-1]]
    Your entries stand one too late: entry 0 is the position before any layer. It should be the
    earliest after the first layer.
from_one: earliest, after = position -> earliest, after = position - 1
    You count from one position before the query. It sees itself, so it is there that counting
    begins.
"""


# --- wrong versions -----------------------------------------------------------------------------


def _each_alone(windows, position):
    return [max(position - (w - 1), 0) if w else 0 for w in windows]


def _widest(windows, position):
    return [min(_each_alone(windows[: n + 1], position)) for n in range(len(windows))]


def _product(windows, position):
    reached, after = 1, []
    for window in windows:
        reached *= window  # 0 from the first layer on that sees everything
        after.append(max(position - reached + 1, 0) if reached else 0)
    return after


def _forgets_the_global_one(windows, position):
    """A layer that sees everything helps at its own turn alone."""
    reached, after = 0, []
    for window in windows:
        reached += window - 1 if window else 0
        after.append(max(position - reached, 0) if window else 0)
    return after


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
