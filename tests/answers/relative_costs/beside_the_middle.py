# wrong: the number before the middle one
# named: beside_the_middle
def relative_costs(functions, timer, rounds):
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
