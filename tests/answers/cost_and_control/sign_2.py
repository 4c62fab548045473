# wrong: what is left minus the whole, so losses are negative
# named: sign
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    whole = measure(())
    others = [h for h in range(num_heads) if h not in chosen]
    sets = list(combinations(others, len(chosen)))
    return measure(tuple(chosen)) - whole, sum(measure(s) - whole for s in sets) / len(sets)
