# wrong: rounds the weights to two digits before mixing

import math


def attend_by_hand(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    weights = [round(x / sum(e), 2) for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights
