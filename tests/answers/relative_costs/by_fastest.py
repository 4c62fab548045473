# wrong: divides by the fastest function instead of the first
# named: fastest_is_one
import statistics


def relative_costs(functions, timer, rounds):
    for f in functions:
        f()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for f, t in zip(functions, times):
            start = timer()
            f()
            t.append(timer() - start)
    med = [statistics.median(t) for t in times]
    return [m / min(med) for m in med]
