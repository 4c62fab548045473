# wrong: the weights are right but the output is the plain average of the values
# named: plain_mean

import math


def attend_by_hand(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    total = sum(e)
    weights = [x / total for x in e]
    output = [sum(v[j] for v in values) / len(values) for j in range(len(values[0]))]
    return output, weights
