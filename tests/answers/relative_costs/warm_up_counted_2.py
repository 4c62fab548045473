# wrong: the first timed round is the warm-up
# named: no_warm_up


def relative_costs(functions, timer, rounds):
    times = {i: [] for i in range(len(functions))}
    for _ in range(rounds):
        for i, f in enumerate(functions):
            start = timer()
            f()
            times[i].append(timer() - start)
    med = [sorted(times[i])[rounds // 2] for i in range(len(functions))]
    return [m / med[0] for m in med]
