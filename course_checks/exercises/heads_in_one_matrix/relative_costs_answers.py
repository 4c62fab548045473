"""Answers to relative_costs (lesson 04, exercise 9), right and wrong, as students write them."""

import statistics
import time

import numpy as np
import torch


# wrong: the number before the middle one
# named: beside_the_middle
def beside_the_middle(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    medians = [sorted(mine)[rounds // 2 - 1] for mine in times]
    return [median / medians[0] for median in medians]


# wrong: times all rounds of one function before the next, so they do not take turns
# named: one_by_one
def blocks(functions, timer, rounds):
    medians = []
    for f in functions:
        f()
        times = []
        for _ in range(rounds):
            t = timer()
            f()
            times.append(timer() - t)
        medians.append(sorted(times)[rounds // 2])
    return [m / medians[0] for m in medians]


# wrong: divides by the fastest function instead of the first
# named: fastest_is_one
def by_fastest(functions, timer, rounds):
    for f in functions:
        f()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for f, t in zip(functions, times):
            start = timer()
            f()
            t.append(timer() - start)
    med = [statistics.median(t) for t in times]
    return [m / min(med) for m in med]


# wrong: divides by the fastest function
# named: fastest_is_one
def by_the_fastest(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    medians = [sorted(mine)[rounds // 2] for mine in times]
    return [median / min(medians) for median in medians]


# wrong: two calls between the two times
# named: twice_between
def called_twice(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            function()
            mine.append(timer() - start)
    medians = [sorted(mine)[rounds // 2] for mine in times]
    return [median / medians[0] for median in medians]


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


# wrong: leaves out the 1 of the first function
# named: first_left_out
def first_left_out(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    medians = [sorted(mine)[rounds // 2] for mine in times]
    return [median / medians[0] for median in medians[1:]]


# wrong: the mean in place of the median
# named: mean
def mean(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    means = [sum(mine) / rounds for mine in times]
    return [m / means[0] for m in means]


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


# wrong: takes the mean of the times instead of the median
# named: mean
def mean_3(functions, timer, rounds):
    for f in functions:
        f()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for i, f in enumerate(functions):
            start = timer()
            f()
            times[i].append(timer() - start)
    means = [sum(t) / rounds for t in times]
    return [m / means[0] for m in means]


# wrong: takes the median of the ratios of each round instead of the ratio of the medians
# named: ratios_first
def median_of_ratios(functions, timer, rounds):
    [f() for f in functions]
    ratios = [[] for _ in functions]
    for _ in range(rounds):
        row = []
        for f in functions:
            a = timer()
            f()
            row.append(timer() - a)
        for r, t in zip(ratios, row):
            r.append(t / row[0])
    return [sorted(r)[rounds // 2] for r in ratios]


# wrong: divides within each round and takes the median of the ratios
# named: ratios_first
def median_of_the_ratios(functions, timer, rounds):
    for function in functions:
        function()
    ratios = [[] for _ in functions]
    for _ in range(rounds):
        row = []
        for function in functions:
            start = timer()
            function()
            row.append(timer() - start)
        for i, time in enumerate(row):
            ratios[i].append(time / row[0])
    return [sorted(mine)[rounds // 2] for mine in ratios]


# wrong: the fastest call in place of the median
# named: minimum
def minimum(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    best = [min(mine) for mine in times]
    return [b / best[0] for b in best]


# wrong: measures all rounds of one function before the next one
# named: one_by_one
def no_turns(functions, timer, rounds):
    medians = []
    for f in functions:
        f()
    for f in functions:
        times = []
        for _ in range(rounds):
            start = timer()
            f()
            times.append(timer() - start)
        medians.append(sorted(times)[rounds // 2])
    return [m / medians[0] for m in medians]


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


# wrong: takes the time of the middle round, without sorting
# named: unsorted_middle
def not_sorted(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    medians = [mine[rounds // 2] for mine in times]
    return [median / medians[0] for median in medians]


# wrong: all rounds of one function before the next function
# named: one_by_one
def one_after_the_other(functions, timer, rounds):
    for function in functions:
        function()
    medians = []
    for function in functions:
        times = []
        for _ in range(rounds):
            start = timer()
            function()
            times.append(timer() - start)
        medians.append(sorted(times)[rounds // 2])
    return [median / medians[0] for median in medians]


# wrong: [[]] * n is the same list n times
# named: one_shared_list
def one_shared_list(functions, timer, rounds):
    for function in functions:
        function()
    times = [[]] * len(functions)
    for _ in range(rounds):
        for i, function in enumerate(functions):
            start = timer()
            function()
            times[i].append(timer() - start)
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


# wrong: takes the median of the ratios of each round, not the ratio of the medians
# named: ratios_first
def ratio_median(functions, timer, rounds):
    for f in functions:
        f()
    table = []
    for _ in range(rounds):
        row = []
        for f in functions:
            start = timer()
            f()
            row.append(timer() - start)
        table.append([t / row[0] for t in row])
    return [sorted(col)[rounds // 2] for col in zip(*table)]


# right
def right_numpy_table(functions, timer, rounds):
    for function in functions:
        function()
        function()
    table = np.zeros((rounds, len(functions)))
    for r in range(rounds):
        for i, function in enumerate(functions):
            begin = timer()
            function()
            end = timer()
            table[r, i] = end - begin
    medians = np.median(table, axis=0)
    return (medians / medians[0]).tolist()


# right
def right_order_alternates(functions, timer, rounds):
    """The functions take turns, forwards in one round and backwards in the next."""
    for function in functions:
        function()
    times = {i: [] for i in range(len(functions))}
    for r in range(rounds):
        order = range(len(functions)) if r % 2 == 0 else reversed(range(len(functions)))
        for i in order:
            start = timer()
            functions[i]()
            times[i].append(timer() - start)
    middle = [sorted(times[i])[rounds // 2] for i in range(len(functions))]
    return [m / middle[0] for m in middle]


# right
def right_statistics(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    medians = [statistics.median(mine) for mine in times]
    return [median / medians[0] for median in medians]


# right
def right_torch_median(functions, timer, rounds):
    def time_of(function):
        start = timer()
        function()
        return timer() - start

    [function() for function in functions]
    rows = [[time_of(function) for function in functions] for _ in range(rounds)]
    medians = torch.tensor(rows, dtype=torch.float64).median(dim=0).values
    return (medians / medians[0]).tolist()


# right
def right_warm_up_in_every_round(functions, timer, rounds):
    times = [[] for _ in functions]
    for function in functions:
        function()
    for _ in range(rounds):
        for i, function in enumerate(functions):
            function()
            start = timer()
            function()
            times[i].append(timer() - start)
    return [sorted(t)[rounds // 2] / sorted(times[0])[rounds // 2] for t in times]


# wrong: rounds to one digit behind the point
# named: rounded
def rounded(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    medians = [sorted(mine)[rounds // 2] for mine in times]
    return [round(median / medians[0], 1) for median in medians]


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


# wrong: [[]] * n is one list n times, so all functions share their times
# named: one_shared_list
def shared_list(functions, timer, rounds):
    times = [[]] * len(functions)
    for f in functions:
        f()
    for _ in range(rounds):
        for i, f in enumerate(functions):
            t0 = timer()
            f()
            times[i].append(timer() - t0)
    med = [sorted(t)[len(t) // 2] for t in times]
    return [m / med[0] for m in med]


# wrong: the slowest call in place of the median
# named: slowest
def slowest(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    worst = [max(mine) for mine in times]
    return [w / worst[0] for w in worst]


# wrong: starts the clock once a round, so that later functions get the earlier times too
# named: clock_not_restarted
def start_once_a_round(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        start = timer()
        for function, mine in zip(functions, times):
            function()
            mine.append(timer() - start)
    medians = [sorted(mine)[rounds // 2] for mine in times]
    return [median / medians[0] for median in medians]


# right
def with_statistics(functions, timer, rounds):
    import statistics

    for _ in range(2):
        for f in functions:
            f()
    spent = {k: [] for k in range(len(functions))}
    for r in range(rounds * len(functions)):
        k = r % len(functions)
        start = timer()
        functions[k]()
        stop = timer()
        spent[k].append(stop - start)
    middle = [statistics.median(spent[k]) for k in spent]
    return [m / middle[0] for m in middle]


# right
def statistics_2(functions, timer, rounds):
    def clock(f):
        before = timer()
        f()
        return timer() - before

    for _ in range(2):
        for f in functions:
            f()
    table = [[clock(f) for f in functions] for _ in range(rounds)]
    medians = [statistics.median(column) for column in zip(*table)]
    return [m / medians[0] for m in medians]


# right
def there_and_back(functions, timer, rounds):
    n = len(functions)
    times = [[] for _ in range(n)]
    for f in functions:
        f()
    for r in range(rounds):
        for i in range(n) if r % 2 == 0 else reversed(range(n)):
            start = timer()
            functions[i]()
            end = timer()
            times[i].append(end - start)
    middle = [sorted(t)[rounds // 2] for t in times]
    return [m / middle[0] for m in middle]


# wrong: one time around all rounds of a function
# named: around_all_rounds
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


# wrong: three rounds, whatever rounds says
# named: three_rounds
def two_rounds_too_few(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(3):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    medians = [sorted(mine)[1] for mine in times]
    return [median / medians[0] for median in medians]


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


# wrong: divides the first by each
# named: reversed
def upside_down(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    medians = [sorted(mine)[rounds // 2] for mine in times]
    return [medians[0] / median for median in medians]


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


# wrong: the first timed round is the warm-up
# named: no_warm_up
def warm_up_counted_2(functions, timer, rounds):
    times = {i: [] for i in range(len(functions))}
    for _ in range(rounds):
        for i, f in enumerate(functions):
            start = timer()
            f()
            times[i].append(timer() - start)
    med = [sorted(times[i])[rounds // 2] for i in range(len(functions))]
    return [m / med[0] for m in med]


# wrong: warms up the first function only
# named: first_warmed_up_only
def warm_up_of_the_first_only(functions, timer, rounds):
    functions[0]()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    medians = [sorted(mine)[rounds // 2] for mine in times]
    return [median / medians[0] for median in medians]


# wrong: warms up only the first function
# named: first_warmed_up_only
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
