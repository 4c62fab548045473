# wrong: starts the clock once a round, so that later functions get the earlier times too
# named: clock_not_restarted
def relative_costs(functions, timer, rounds):
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
