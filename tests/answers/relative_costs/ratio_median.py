# wrong: takes the median of the ratios of each round, not the ratio of the medians
# named: ratios_first


def relative_costs(functions, timer, rounds):
    for f in functions:
        f()
    table = []
    for _ in range(rounds):
        row = []
        for f in functions:
            start = timer()
            f()
            row.append(timer() - start)
        table.append([t / row[0] for t in row])
    return [sorted(col)[rounds // 2] for col in zip(*table)]
