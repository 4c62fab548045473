# wrong: warms up only the first function
# named: first_warmed_up_only


def relative_costs(functions, timer, rounds):
    functions[0]()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for k, f in enumerate(functions):
            t = timer()
            f()
            times[k].append(timer() - t)
    med = [sorted(t)[rounds // 2] for t in times]
    return [m / med[0] for m in med]
