# wrong: divides the scores by sqrt(d) although this lesson has no scale
# named: scaled
import math


def attend_by_hand(query, keys, values):
    d = len(query)
    scores = [sum(q * k for q, k in zip(query, key)) / math.sqrt(d) for key in keys]
    e = [math.exp(s) for s in scores]
    total = sum(e)
    weights = [x / total for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights
