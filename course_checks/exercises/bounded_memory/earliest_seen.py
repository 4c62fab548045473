"""Lesson 14, exercise 1: how far back layers of windows reach, layer by layer."""

from course_checks.exercise import Case, Exercise, Property, randint
from course_lib.attention.windows import reach


def earliest_seen(windows, position):
    earliest, after = position, []
    for window in windows:
        earliest = max(earliest - (window - 1), 0) if window else 0
        after.append(earliest)
    return after


MISTAKES = """
window_itself: (window - 1) -> window
    You go back by the window in each layer. It holds the position itself: go back by window - 1.
two_less: (window - 1) -> max(window - 2, 0) || (window - 2)
    You go back by window - 2. A window of 2 is the position and the one before: window - 1.
both_sides: (window - 1) -> window // 2 || (window - 1) // 2
    You take half of the window, as if it lay on both sides. It lies behind: a query sees itself and
    the window - 1 positions before it.
each_alone: max(earliest - -> max(position -
or: max(earliest - (window - 1), 0) if window else 0 -> min(earliest, max(position - (window - 1), \
        0) if window else 0)
    You look at each layer alone. What layer 1 brought to a position, layer 2 carries further: go on
    from where the layer below has arrived.
first_window: in windows -> in [windows[0]] * len(windows)
    You use the first window for all layers. Each layer has its own.
before_zero: max(earliest - (window - 1), 0) -> earliest - (window - 1)
    Your positions become negative. The text begins at position 0.
stops_at_one: , 0) if window else 0 -> , 1) if window else 1 || , 0) -> , 1)
    You stop at position 1. The first position is 0.
none_sees_itself: else 0 -> else earliest
    A layer with the number 0 moves nothing in your answer. It has no window: it sees all from 0 on.
zero_as_a_window: else 0 -> else earliest + 1
    You go back by 0 - 1, a step forward. 0 stands for a layer without a window, which sees all.
global_forgotten: if window else 0 -> if window else earliest && after.append(earliest) -> \
        after.append(earliest if window else 0)
    After a layer that sees everything you go on as if it had not been there. What came from
    position 0 stays.
from_the_top: in windows -> in windows[::-1]
    You begin with the last layer of the list. Entry 0 is what is known after the first.
answer_reversed: return after -> return after[::-1]
    Your list begins with the last layer. Entry 0 is what is seen after the first one.
distances: append(earliest) -> append(position - earliest)
    You return how far back each goes. Asked for are the positions: position minus that distance.
before_each_layer: return after -> return [position, *after[:-1]]
    Your entries stand one too late: entry 0 should be the earliest after the first layer.
from_one: earliest, after = position -> earliest, after = position - 1
    You count from one position before the query. It sees itself: begin there.
"""


def _case(windows, position):
    return Case((windows, position), label=f"windows {windows} and position {position}")


def _calls(*calls):
    return lambda generator: [_case(*call) for call in calls]


def _drawn(generator):
    for layers in (2, 4, 5):
        windows = [randint(generator, 2, 6) for _ in range(layers)]
        windows[-1] = windows[0] + 1  # they are not all the same
        yield _case(windows, sum(windows) + randint(generator, 1, 9))


EXERCISE = Exercise(
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
