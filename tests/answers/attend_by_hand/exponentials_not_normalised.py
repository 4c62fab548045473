# wrong: takes the exponentials and never divides them by their sum
# named: not_normalised

import math


def attend_by_hand(query, keys, values):
    weights = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights
