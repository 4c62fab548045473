# wrong: multiplies the caller's own values by the weights
# named: changes_input

import math


def attend_by_hand(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    total = sum(e)
    weights = [x / total for x in e]
    for t, value in enumerate(values):
        for j in range(len(value)):
            value[j] *= weights[t]
    output = [sum(value[j] for value in values) for j in range(len(values[0]))]
    return output, weights
