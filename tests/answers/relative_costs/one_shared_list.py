# wrong: [[]] * n is the same list n times
# named: one_shared_list
def relative_costs(functions, timer, rounds):
    for function in functions:
        function()
    times = [[]] * len(functions)
    for _ in range(rounds):
        for i, function in enumerate(functions):
            start = timer()
            function()
            times[i].append(timer() - start)
    medians = [sorted(mine)[rounds // 2] for mine in times]
    return [median / medians[0] for median in medians]
