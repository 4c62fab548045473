# wrong: the slowest call in place of the median
# named: slowest
def relative_costs(functions, timer, rounds):
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
