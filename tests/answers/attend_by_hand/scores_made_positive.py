# wrong: takes the absolute value of each score before the exponential
# named: sizes_of_scores

import math


def attend_by_hand(query, keys, values):
    e = [math.exp(abs(sum(q * k for q, k in zip(query, key)))) for key in keys]
    weights = [x / sum(e) for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights
