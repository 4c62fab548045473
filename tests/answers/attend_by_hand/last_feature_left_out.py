# wrong: the loop of the dot product ends one too early
# named: one_feature_short

import math


def attend_by_hand(query, keys, values):
    scores = []
    for key in keys:
        score = 0.0
        for i in range(len(query) - 1):
            score += query[i] * key[i]
        scores.append(score)
    e = [math.exp(s) for s in scores]
    weights = [x / sum(e) for x in e]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights
