# wrong: divides the exponentials by the largest of them, not by their sum
# named: divided_by_largest

import math


def attend_by_hand(query, keys, values):
    scores = [sum(q * k for q, k in zip(query, key)) for key in keys]
    e = [math.exp(s) for s in scores]
    weights = [x / max(e) for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights
