# wrong: accuracies instead of losses
# named: accuracies
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    left = [measure(s) for s in combinations(others, len(chosen))]
    return measure(chosen), sum(left) / len(left)
