# wrong: divides within each round and takes the median of the ratios
# named: ratios_first
def relative_costs(functions, timer, rounds):
    for function in functions:
        function()
    ratios = [[] for _ in functions]
    for _ in range(rounds):
        row = []
        for function in functions:
            start = timer()
            function()
            row.append(timer() - start)
        for i, time in enumerate(row):
            ratios[i].append(time / row[0])
    return [sorted(mine)[rounds // 2] for mine in ratios]
