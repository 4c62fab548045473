# wrong: the mean in place of the median
# named: mean
def relative_costs(functions, timer, rounds):
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
