# wrong: warms up the first function only
# named: first_warmed_up_only
def relative_costs(functions, timer, rounds):
    functions[0]()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for function, mine in zip(functions, times):
            start = timer()
            function()
            mine.append(timer() - start)
    medians = [sorted(mine)[rounds // 2] for mine in times]
    return [median / medians[0] for median in medians]
