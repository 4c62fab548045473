# wrong: accuracy left minus accuracy of the whole: the signs are turned
# named: sign
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    whole = measure(())
    others = [h for h in range(num_heads) if h not in chosen]
    sets = list(combinations(others, len(chosen)))
    return measure(chosen) - whole, sum(measure(s) - whole for s in sets) / len(sets)
