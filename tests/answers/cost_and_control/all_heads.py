# wrong: controls from all heads
# named: chosen_in_controls
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    whole = measure(())
    sets = list(combinations(range(num_heads), len(chosen)))
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)
