# wrong: times all rounds of one function before the next, so they do not take turns
# named: one_by_one


def relative_costs(functions, timer, rounds):
    medians = []
    for f in functions:
        f()
        times = []
        for _ in range(rounds):
            t = timer()
            f()
            times.append(timer() - t)
        medians.append(sorted(times)[rounds // 2])
    return [m / medians[0] for m in medians]
