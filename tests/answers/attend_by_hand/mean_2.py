# wrong: divides the weighted sum by the number of values once more
# named: divided_again
import math


def attend_by_hand(query, keys, values):
    exps = [math.exp(sum(a * b for a, b in zip(query, k))) for k in keys]
    weights = [e / sum(exps) for e in exps]
    T, dv = len(values), len(values[0])
    output = [sum(weights[t] * values[t][j] for t in range(T)) / T for j in range(dv)]
    return output, weights
