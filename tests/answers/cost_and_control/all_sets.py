# wrong: the control also takes sets that hold chosen heads
# named: controls_overlap
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    whole = measure(())
    sets = [s for s in combinations(range(num_heads), len(chosen)) if s != tuple(sorted(chosen))]
    return whole - measure(chosen), sum(whole - measure(s) for s in sets) / len(sets)
