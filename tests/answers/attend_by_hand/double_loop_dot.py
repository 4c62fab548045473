# wrong: the dot product runs over all pairs of a query number and a key number
# named: all_pairs
import math


def attend_by_hand(query, keys, values):
    scores = []
    for key in keys:
        s = 0
        for q in query:
            for k in key:
                s += q * k
        scores.append(s)
    exps = [math.exp(s) for s in scores]
    total = sum(exps)
    weights = [e / total for e in exps]
    output = [0.0] * len(values[0])
    for w, v in zip(weights, values):
        for j in range(len(v)):
            output[j] += w * v[j]
    return output, weights
