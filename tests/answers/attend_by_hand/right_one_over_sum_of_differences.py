# right

import functools
import math


def attend_by_hand(query, keys, values):
    s = [functools.reduce(lambda acc, qk: acc + qk[0] * qk[1], zip(query, key), 0) for key in keys]
    weights = [1 / sum(math.exp(other - mine) for other in s) for mine in s]
    output = []
    for j in range(len(values[0])):
        output.append(sum(weights[t] * values[t][j] for t in range(len(keys))))
    return output, weights
