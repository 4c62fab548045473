# wrong: rounds to one digit behind the point
# named: rounded
def relative_costs(functions, timer, rounds):
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
