# wrong: divides the weighted average a second time by the number of keys
# named: divided_again
import math


def attend_by_hand(query, keys, values):
    T = len(keys)
    e = [math.exp(sum(a * b for a, b in zip(query, k))) for k in keys]
    z = sum(e)
    weights = [x / z for x in e]
    output = [sum(weights[t] * values[t][j] for t in range(T)) / T for j in range(len(values[0]))]
    return output, weights
