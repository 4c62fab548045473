# wrong: asks time.perf_counter instead of the given timer
# named: varies
import time


def relative_costs(functions, timer, rounds):
    for f in functions:
        f()
    times = [[] for _ in functions]
    for _ in range(rounds):
        for f, t in zip(functions, times):
            start = time.perf_counter()
            f()
            t.append(time.perf_counter() - start)
    med = [sorted(t)[rounds // 2] for t in times]
    return [m / med[0] for m in med]
