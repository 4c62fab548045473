# wrong: the fastest call in place of the median
# named: minimum
def relative_costs(functions, timer, rounds):
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
