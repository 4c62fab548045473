# wrong: divides the dot products by the lengths of query and key
# named: cosine

import math


def attend_by_hand(query, keys, values):
    def norm(v):
        return math.sqrt(sum(x * x for x in v)) or 1.0

    scores = [sum(q * k for q, k in zip(query, key)) / norm(query) / norm(key) for key in keys]
    e = [math.exp(s) for s in scores]
    weights = [x / sum(e) for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights
