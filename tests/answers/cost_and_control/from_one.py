# wrong: the whole model counted as 1
# named: from_1
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = 1.0
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)
