"""Lesson 04, exercise 9: a fair comparison of running times, on a clock that the check winds."""

import statistics

from course_checks.exercise import Exercise, Property
from course_checks.exercises.heads_in_one_matrix.cost_cases import (
    cold,
    interrupted,
    steady,
    throttled,
)


def relative_costs(functions, timer, rounds):
    _warm_up(functions)
    return _ratios(map(statistics.median, _in_turns(functions, timer, rounds)))


MISTAKES = """
no_warm_up: _relative_costs_with(warm=lambda functions: None)
    You time the first call too. It fills caches, reserves memory, starts threads: call each
    function once before the clock counts.
one_by_one: _relative_costs_with(times_of=_one_by_one)
    You finish one function before you begin the next. When the machine becomes slower meanwhile,
    the later ones pay for it: let them take turns, one call each, in every round.
mean: _relative_costs_with(cost_of=statistics.mean)
    You take the mean (or the sum). One call that was interrupted by something else carries it off;
    the median does not move.
minimum: _relative_costs_with(cost_of=min)
    You take the fastest call of each. Sometimes that is the right question; here it is the usual
    call, the median.
unsorted_middle: _relative_costs_with(cost_of=lambda own: own[len(own) // 2])
    You take the call in the middle of the list. The median is in the middle once the times are
    sorted.
not_relative: _relative_costs_with(result_of=list)
    You return times. They say more about the machine than about the functions: divide all of them
    by the first.
reversed: _relative_costs_with(result_of=lambda costs: [costs[0] / cost for cost in costs])
    You divide the first one's cost by the others'. A function that takes twice as long should get
    2.
fastest_is_one: _relative_costs_with(result_of=lambda costs: [cost / min(costs) for cost in costs])
    You divide by the smallest cost. The first function is the one to compare with, whether it is
    the fastest or not.
clock_not_restarted: _relative_costs_with(times_of=_never_restarted)
or: _relative_costs_with(times_of=_restarted_each_round)
    Your clock runs through: what you note is the time since an earlier start, with other calls in
    it. Read the timer right before and right after each call.
warm_up_counted: _without_warm_up(lambda rounds: rounds + 1)
    You time one round more and let the warm-up count. Call each function once before the clock is
    asked at all.
first_warmed_up_only: _relative_costs_with(warm=lambda functions: functions[0]())
    You warm up the first function alone. Each one has a first call: call them all once.
slowest: _relative_costs_with(cost_of=max)
    You take the slowest call of each. That is the one that was interrupted most; the median is the
    usual one.
beside_the_middle: _relative_costs_with(cost_of=_beside_the_middle)
    You take the time just before the middle one. Of an odd number of sorted times the middle one is
    number rounds // 2, counted from 0.
ratios_first: _ratios_first
    You divide within each round and take the median of the ratios. Asked are the medians of the
    times, divided by the first of them.
around_all_rounds: _relative_costs_with(times_of=_around_all)
    You ask the clock once before all calls of a function and once after them, and do not let the
    functions take turns. An interrupted call then counts in full: time each call by itself.
twice_between: _relative_costs_with(times_of=_twice_in_turns)
    You call the function twice between the two readings of the clock. One timed call is asked for
    in each round.
one_shared_list: _one_shared_list
    All functions write into one list: [[]] * n is the same list n times. Make one for each, [[] for
    _ in functions].
three_rounds: lambda functions, timer, rounds: relative_costs(functions, timer, 3)
    You run three rounds in every case. How many there are is rounds.
rounded: lambda *args: [round(cost, 1) for cost in relative_costs(*args)]
or: lambda *args: [round(cost, 2) for cost in relative_costs(*args)]
    You round the costs. Return them as they are; whoever prints them can round.
first_left_out: lambda *args: relative_costs(*args)[1:]
    You leave out the first function. Its cost is 1, and it belongs to the list.
"""


def _warm_up(functions):
    for function in functions:
        function()


def _in_turns(functions, timer, rounds):
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, own in zip(functions, times, strict=True):
            own.append(_time(function, timer))
    return times


def _one_by_one(functions, timer, rounds):
    return [[_time(function, timer) for _ in range(rounds)] for function in functions]


def _time(function, timer):
    start = timer()
    function()
    return timer() - start


def _ratios(costs):
    costs = list(costs)
    return [cost / costs[0] for cost in costs]


def _relative_costs_with(
    times_of=_in_turns, cost_of=statistics.median, result_of=_ratios, warm=_warm_up
):
    def version(functions, timer, rounds):
        warm(functions)
        return result_of([cost_of(own) for own in times_of(functions, timer, rounds)])

    return version


def _never_restarted(functions, timer, rounds):
    start = timer()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, own in zip(functions, times, strict=True):
            function()
            own.append(timer() - start)
    return times


def _restarted_each_round(functions, timer, rounds):
    by_round = [_never_restarted(functions, timer, 1) for _ in range(rounds)]
    return [[row[i][0] for row in by_round] for i in range(len(functions))]


def _ratios_first(functions, timer, rounds):
    """The median of each round's ratios."""
    _warm_up(functions)
    by_round = zip(*_in_turns(functions, timer, rounds), strict=True)
    return [statistics.median(own) for own in zip(*map(_ratios, by_round), strict=True)]


def _one_shared_list(functions, timer, rounds):
    _warm_up(functions)
    times = [time for own in _in_turns(functions, timer, rounds) for time in own]
    return _ratios(sorted(times)[rounds // 2] for _ in functions)


def _beside_the_middle(own):
    return sorted(own)[len(own) // 2 - 1]


def _around_all(functions, timer, rounds):
    def all_rounds(function):
        return lambda: [function() for _ in range(rounds)]

    return [[_time(all_rounds(function), timer)] for function in functions]


def _twice_in_turns(functions, timer, rounds):
    return _in_turns([lambda f=function: (f(), f()) for function in functions], timer, rounds)


def _without_warm_up(rounds_of):
    """A version whose warm-up is among what it times: ``rounds_of(rounds)`` rounds."""

    def version(functions, timer, rounds):
        times = _in_turns(functions, timer, rounds_of(rounds))
        return _ratios(sorted(own)[len(own) // 2] for own in times)

    return version


EXERCISE = Exercise(
    reference=relative_costs,
    returns={"costs": "one number for each function"},
    kind="numbers",
    when_it_varies=(
        "On the check's machine nothing varies, and your costs do. Does your function read a clock "
        "of its own, such as time.perf_counter? Call the timer that it is given: timer()."
    ),
    properties=(
        Property("each cost is a multiple of the first function's", 2, steady),
        Property("the first call of each function does not count", 1, cold),
        Property("calls that were interrupted, or lucky, do not count", 1, interrupted),
        Property("a machine that becomes slower meanwhile is unfair to none", 1, throttled),
    ),
    mistakes=MISTAKES,
)
