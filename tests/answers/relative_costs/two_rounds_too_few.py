# wrong: three rounds, whatever rounds says
# named: three_rounds
def relative_costs(functions, timer, rounds):
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
