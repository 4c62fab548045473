# wrong: sets with the same head twice
from itertools import product


def cost_and_control(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = [s for s in product(others, repeat=len(chosen))]
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)
