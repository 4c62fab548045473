# wrong: takes the value of the best key, a hard look-up
# named: hard_lookup


def attend_by_hand(query, keys, values):
    scores = [sum(q * k for q, k in zip(query, key)) for key in keys]
    best = scores.index(max(scores))
    weights = [1.0 if t == best else 0.0 for t in range(len(keys))]
    return list(values[best]), weights
