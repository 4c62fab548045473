# wrong: takes the mean of the times instead of the median
# named: mean


def relative_costs(functions, timer, rounds):
    for f in functions:
        f()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for i, f in enumerate(functions):
            start = timer()
            f()
            times[i].append(timer() - start)
    means = [sum(t) / rounds for t in times]
    return [m / means[0] for m in means]
