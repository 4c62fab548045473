# right

import math


def attend_by_hand(query, keys, values):
    scores = [0.0] * len(keys)
    for t, key in enumerate(keys):
        for q, k in zip(query, key):
            scores[t] += q * k
    top = max(scores)
    total = 0.0
    for s in scores:
        total += math.exp(s - top)
    weights = tuple(math.exp(s - top) / total for s in scores)
    output = [0.0] * len(values[0])
    for w, value in zip(weights, values):
        output = [o + w * v for o, v in zip(output, value)]
    return tuple(output), weights
