# wrong: takes the median of the ratios of each round instead of the ratio of the medians
# named: ratios_first


def relative_costs(functions, timer, rounds):
    [f() for f in functions]
    ratios = [[] for _ in functions]
    for _ in range(rounds):
        row = []
        for f in functions:
            a = timer()
            f()
            row.append(timer() - a)
        for r, t in zip(ratios, row):
            r.append(t / row[0])
    return [sorted(r)[rounds // 2] for r in ratios]
