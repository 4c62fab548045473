"""Answers to relative_costs (lesson 04, exercise 9), right and wrong, as students write them."""

import functools
import statistics
import time

import numpy as np
import torch


# right
def by_statistics(functions, timer, rounds):
    times = {function: [] for function in functions}
    for turn in range(rounds + 2):  # two rounds of warm-up
        for function in functions:
            begin = timer()
            function()
            end = timer()
            if turn >= 2:
                times[function].append(end - begin)
    first, *others = (statistics.median(own) for own in times.values())
    return [1.0] + [other / first for other in others]


# right
def numpy(functions, timer, rounds):
    [function() for function in functions]
    times = np.zeros((rounds, len(functions)))
    for row in range(rounds):
        order = range(len(functions))
        for column in order if row % 2 else reversed(order):  # to and fro
            start = timer()
            functions[column]()
            times[row, column] = timer() - start
    medians = np.median(times, axis=0)
    return medians / medians[0]


# wrong: the end of the time is asked before the call
def clock_not_called(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start, end = timer(), timer()
            function()
            mine.append(end - start)
    medians = [sorted(mine)[rounds // 2] for mine in times]
    return [median / max(medians[0], 1e-9) for median in medians]


# wrong: takes the mean, not the median, of the times
# named: mean
def mean_2(functions, timer, rounds):
    for f in functions:
        f()
    sums = [0.0] * len(functions)
    for _ in range(rounds):
        for k, f in enumerate(functions):
            t = timer()
            f()
            sums[k] += timer() - t
    return [s / sums[0] for s in sums]


# wrong: no call before the timed ones
# named: no_warm_up
def no_warm_up(functions, timer, rounds):
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    medians = [sorted(mine)[rounds // 2] for mine in times]
    return [median / medians[0] for median in medians]


# wrong: asks time.perf_counter and not timer
# named: answers_vary
def own_clock(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = time.perf_counter()
            function()
            mine.append(time.perf_counter() - start)
    medians = [sorted(mine)[rounds // 2] for mine in times]
    return [median / medians[0] for median in medians]


# wrong: returns the medians themselves
# named: not_relative
def seconds(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    return [sorted(mine)[rounds // 2] for mine in times]


# wrong: one time around all rounds of a function
# named: around_all_rounds
# points: 4
def total_around_the_rounds(functions, timer, rounds):
    for function in functions:
        function()
    times = []
    for function in functions:
        start = timer()
        for _ in range(rounds):
            function()
        times.append((timer() - start) / rounds)
    return [t / times[0] for t in times]


# wrong: takes the middle round, not the middle time
# named: unsorted_middle
def unsorted_middle(functions, timer, rounds):
    for f in functions:
        f()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for f, t in zip(functions, times):
            start = timer()
            f()
            t.append(timer() - start)
    return [t[rounds // 2] / times[0][rounds // 2] for t in times]


# wrong: times the warm-up call as one more round
# named: warm_up_counted
def warm_up_counted(functions, timer, rounds):
    times = [[] for _ in functions]
    for _ in range(rounds + 1):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    medians = [sorted(mine)[(rounds + 1) // 2] for mine in times]
    return [median / medians[0] for median in medians]


# wrong: warms up only the first function
# named: first_warmed_up_only
# points: 5
def warmup_first(functions, timer, rounds):
    functions[0]()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for k, f in enumerate(functions):
            t = timer()
            f()
            times[k].append(timer() - t)
    med = [sorted(t)[rounds // 2] for t in times]
    return [m / med[0] for m in med]


# wrong: times all rounds of a job together
# points: 3
def total_time(functions, timer, rounds):
    costs = []
    for function in functions:
        start = timer()
        for _ in range(rounds):
            function()
        costs.append(timer() - start)
    return [cost / costs[0] for cost in costs]


# other inputs
class Clock:
    """Goes on only when one of its jobs runs; the jobs' times are given call by call."""

    def __init__(self):
        self.now = 0.0

    def read(self):
        return self.now


class Job:
    def __init__(self, clock, seconds):
        self.clock, self.seconds = clock, list(seconds)

    def __call__(self):
        self.clock.now += self.seconds.pop(0) if len(self.seconds) > 1 else self.seconds[0]


def other_inputs(generator):
    randn = functools.partial(torch.randn, generator=generator)
    for rounds in (3, 9):
        clock = Clock()
        jobs = (Job(clock, (randn(20) ** 2 + 1).tolist()) for _ in range(3))
        yield tuple(jobs), clock.read, rounds
