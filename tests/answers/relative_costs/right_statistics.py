# right
import statistics


def relative_costs(functions, timer, rounds):
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
