# wrong: multiplies each value by its weight and forgets to add them up

import math


def attend_by_hand(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    total = sum(e)
    weights = [x / total for x in e]
    output = [[w * number for number in value] for w, value in zip(weights, values)]
    return output, weights
