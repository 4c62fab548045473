# wrong: mixes only the first number of each value
# named: first_number_only

import math


def attend_by_hand(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    total = sum(e)
    weights = [x / total for x in e]
    output = [sum(w * v[0] for w, v in zip(weights, values))]
    return output, weights
