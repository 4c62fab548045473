# wrong: returns what is left, not what is lost
# named: accuracies
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    others = [h for h in range(num_heads) if h not in chosen]
    left = [measure(s) for s in combinations(others, len(chosen))]
    return measure(chosen), sum(left) / len(left)
