# wrong: measures all rounds of one function before the next one
# named: one_by_one


def relative_costs(functions, timer, rounds):
    medians = []
    for f in functions:
        f()
    for f in functions:
        times = []
        for _ in range(rounds):
            start = timer()
            f()
            times.append(timer() - start)
        medians.append(sorted(times)[rounds // 2])
    return [m / medians[0] for m in medians]
