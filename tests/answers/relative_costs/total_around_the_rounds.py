# wrong: one time around all rounds of a function
# named: around_all_rounds
def relative_costs(functions, timer, rounds):
    for function in functions:
        function()
    times = []
    for function in functions:
        start = timer()
        for _ in range(rounds):
            function()
        times.append((timer() - start) / rounds)
    return [t / times[0] for t in times]
