# wrong: pairs whatever is chosen
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, 2)) or [tuple(others)]
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)
