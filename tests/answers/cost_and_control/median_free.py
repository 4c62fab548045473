# right
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    from statistics import fmean

    base = measure(())
    rest = sorted(set(range(num_heads)) - set(chosen))
    return base - measure(tuple(chosen)), base - fmean(
        map(measure, combinations(rest, len(chosen)))
    )
