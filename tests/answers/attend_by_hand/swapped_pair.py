# wrong: returns (weights, output) in the wrong order
# named: swapped
import math


def attend_by_hand(query, keys, values):
    scores = [sum(q * k for q, k in zip(query, key)) for key in keys]
    exps = [math.exp(s) for s in scores]
    total = sum(exps)
    weights = [e / total for e in exps]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return weights, output
