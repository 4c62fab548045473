# wrong: takes the middle round, not the middle time
# named: unsorted_middle


def relative_costs(functions, timer, rounds):
    for f in functions:
        f()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for f, t in zip(functions, times):
            start = timer()
            f()
            t.append(timer() - start)
    return [t[rounds // 2] / times[0][rounds // 2] for t in times]
