# wrong: the output loop runs over len(query) places, not over the d_v places of a value
import math


def attend_by_hand(query, keys, values):
    scores = [sum(q * k for q, k in zip(query, key)) for key in keys]
    e = [math.exp(s) for s in scores]
    weights = [x / sum(e) for x in e]
    output = []
    for j in range(len(query)):
        output.append(
            sum(weights[t] * values[t][j] if j < len(values[t]) else 0.0 for t in range(len(keys)))
        )
    return output, weights
