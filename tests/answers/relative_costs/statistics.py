# right


def relative_costs(functions, timer, rounds):
    import statistics

    for _ in range(2):
        for f in functions:
            f()
    spent = {k: [] for k in range(len(functions))}
    for r in range(rounds * len(functions)):
        k = r % len(functions)
        start = timer()
        functions[k]()
        stop = timer()
        spent[k].append(stop - start)
    middle = [statistics.median(spent[k]) for k in spent]
    return [m / middle[0] for m in middle]
