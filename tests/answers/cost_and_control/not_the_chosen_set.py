# wrong: leaves out the chosen set only
# named: controls_overlap
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    whole = measure(())
    sets = [s for s in combinations(range(num_heads), len(chosen)) if set(s) != set(chosen)]
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)
