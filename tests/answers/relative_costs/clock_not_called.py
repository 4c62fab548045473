# wrong: the end of the time is asked before the call
def relative_costs(functions, timer, rounds):
    for function in functions:
        function()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start, end = timer(), timer()
            function()
            mine.append(end - start)
    medians = [sorted(mine)[rounds // 2] for mine in times]
    return [median / max(medians[0], 1e-9) for median in medians]
