# wrong: divides each exponential by the sum so far instead of the whole sum
# named: sum_so_far

import math


def attend_by_hand(query, keys, values):
    total = 0.0
    weights = []
    for key in keys:
        e = math.exp(sum(q * k for q, k in zip(query, key)))
        total += e
        weights.append(e / total)
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights
