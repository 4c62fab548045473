# wrong: loops over len(query) for the output, not over the length of a value
# named: length_of_query

import math


def attend_by_hand(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    total = sum(e)
    weights = [x / total for x in e]
    output = []
    for j in range(len(query)):
        output.append(sum(weights[t] * values[t][j] for t in range(len(keys))))
    return output, weights
