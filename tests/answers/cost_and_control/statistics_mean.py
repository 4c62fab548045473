# right
from itertools import combinations
from statistics import fmean


def cost_and_control(measure, num_heads, chosen):
    others = sorted(set(range(num_heads)) - set(chosen))
    kept = fmean(measure(removed) for removed in combinations(others, len(chosen)))
    return measure(()) - measure(chosen), measure(()) - kept
