# right
from itertools import combinations

import numpy as np


def cost_and_control(measure, num_heads, chosen):
    others = [head for head in range(num_heads) if head not in chosen]
    whole = measure(())
    losses = [whole - measure(r) for r in combinations(others, len(chosen))]
    return float(whole - measure(chosen)), float(np.mean(losses))
