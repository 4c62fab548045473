# wrong: mixes the numbers inside each value with the weights instead of mixing number j of all values
# named: within_each_value
import math


def attend_by_hand(query, keys, values):
    exps = [math.exp(sum(q * k for q, k in zip(query, key))) for key in keys]
    weights = [e / sum(exps) for e in exps]
    output = [sum(w * x for w, x in zip(weights, value)) for value in values]
    return output, weights
