# wrong: numbers the heads from 1
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    whole = measure(())
    others = [h for h in range(1, num_heads + 1) if h not in chosen]
    losses = [whole - measure(s) for s in combinations(others, len(chosen))]
    return whole - measure(chosen), sum(losses) / len(losses)
