# wrong: the cost is the sum of removing the chosen heads one at a time, not all at once
# named: summed_costs
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    whole = measure(())
    cost = sum(whole - measure((h,)) for h in chosen)
    sets = list(combinations([h for h in range(num_heads) if h not in chosen], len(chosen)))
    return cost, sum(whole - measure(s) for s in sets) / len(sets)
