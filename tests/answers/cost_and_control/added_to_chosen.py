# wrong: controls beside the chosen
# named: on_top_of_the_chosen
from itertools import combinations


def cost_and_control(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    sets = [chosen + s for s in combinations(others, len(chosen))]
    losses = [whole - measure(removed) for removed in sets]
    return whole - measure(chosen), sum(losses) / len(losses)
