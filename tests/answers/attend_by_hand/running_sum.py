# wrong: the sum of exponentials is accumulated while dividing, so each weight is divided by a partial sum only
# named: sum_so_far
import math


def attend_by_hand(query, keys, values):
    total = 0.0
    weights = []
    for key in keys:
        x = math.exp(sum(a * b for a, b in zip(query, key)))
        total += x
        weights.append(x / total)
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights
