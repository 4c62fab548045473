# right
def relative_costs(functions, timer, rounds):
    times = [[] for _ in functions]
    for function in functions:
        function()
    for _ in range(rounds):
        for i, function in enumerate(functions):
            function()
            start = timer()
            function()
            times[i].append(timer() - start)
    return [sorted(t)[rounds // 2] / sorted(times[0])[rounds // 2] for t in times]
