# right
from itertools import permutations


def cost_and_control(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = list(permutations(others, len(chosen)))
    return whole - measure(chosen), sum(whole - measure(s) for s in sets) / len(sets)
