# wrong: divides by the fastest function
# named: fastest_is_one
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
    return [median / min(medians) for median in medians]
