# wrong: the median of the controls
from itertools import combinations
from statistics import median


def cost_and_control(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), median(losses)
