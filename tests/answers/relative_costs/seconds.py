# wrong: returns the medians themselves
# named: not_relative
def relative_costs(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    return [sorted(mine)[rounds // 2] for mine in times]
