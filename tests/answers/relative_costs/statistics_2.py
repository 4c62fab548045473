# right
import statistics


def relative_costs(functions, timer, rounds):
    def clock(f):
        before = timer()
        f()
        return timer() - before

    for _ in range(2):
        for f in functions:
            f()
    table = [[clock(f) for f in functions] for _ in range(rounds)]
    medians = [statistics.median(column) for column in zip(*table)]
    return [m / medians[0] for m in medians]
