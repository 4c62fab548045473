# wrong: removes the chosen heads one by one and adds up the losses
# named: summed_costs
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    whole = measure(())
    cost = sum(whole - measure((h,)) for h in chosen)
    others = [h for h in range(num_heads) if h not in chosen]
    losses = [whole - measure(s) for s in combinations(others, len(chosen))]
    return cost, sum(losses) / len(losses)
