# wrong: [[]] * n is one list n times, so all functions share their times
# named: one_shared_list


def relative_costs(functions, timer, rounds):
    times = [[]] * len(functions)
    for f in functions:
        f()
    for _ in range(rounds):
        for i, f in enumerate(functions):
            t0 = timer()
            f()
            times[i].append(timer() - t0)
    med = [sorted(t)[len(t) // 2] for t in times]
    return [m / med[0] for m in med]
