# wrong: takes the mean, not the median, of the times
# named: mean


def relative_costs(functions, timer, rounds):
    for f in functions:
        f()
    sums = [0.0] * len(functions)
    for _ in range(rounds):
        for k, f in enumerate(functions):
            t = timer()
            f()
            sums[k] += timer() - t
    return [s / sums[0] for s in sums]
