# wrong: the control draws from all heads, chosen ones included
# named: chosen_in_controls
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    whole = measure(())
    losses = [whole - measure(s) for s in combinations(range(num_heads), len(chosen))]
    return whole - measure(chosen), sum(losses) / len(losses)
