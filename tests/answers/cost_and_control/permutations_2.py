# right
import statistics
from itertools import permutations


def cost_and_control(measure, num_heads, chosen):
    rest = sorted(set(range(num_heads)).difference(chosen))
    left = [measure(some) for some in permutations(rest, len(chosen))]
    return measure(()) - measure(chosen), measure(()) - statistics.fmean(left)
