# wrong: asks time.perf_counter and not timer
# named: varies
import time


def relative_costs(functions, timer, rounds):
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
