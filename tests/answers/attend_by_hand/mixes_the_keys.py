# wrong: the output mixes the keys instead of the values
# named: keys_averaged

import math


def attend_by_hand(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    total = sum(e)
    weights = [x / total for x in e]
    output = [sum(w * k[j] for w, k in zip(weights, keys)) for j in range(len(keys[0]))]
    return output, weights
