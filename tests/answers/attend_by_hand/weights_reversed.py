# wrong: weight t meets the value that many places from the end

import math


def attend_by_hand(query, keys, values):
    e = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    weights = [x / sum(e) for x in e]
    output = [0.0] * len(values[0])
    for t in range(len(keys)):
        for j in range(len(output)):
            output[j] += weights[t] * values[-t - 1][j]
    return output, weights
