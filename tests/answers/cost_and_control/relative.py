# wrong: losses as a share of the whole
# named: shares_of_the_whole
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(combinations(others, len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return (whole - measure(chosen)) / whole, sum(losses) / len(losses) / whole
