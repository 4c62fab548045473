# wrong: all rounds of one function before the next function
# named: one_by_one
def relative_costs(functions, timer, rounds):
    for function in functions:
        function()
    medians = []
    for function in functions:
        times = []
        for _ in range(rounds):
            start = timer()
            function()
            times.append(timer() - start)
        medians.append(sorted(times)[rounds // 2])
    return [median / medians[0] for median in medians]
