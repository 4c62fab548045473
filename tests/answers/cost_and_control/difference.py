# wrong: subtracts the control from the cost
# named: cost_less_control
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen) - sum(losses) / len(losses), sum(losses) / len(losses)
