# wrong: uses the dot products themselves as weights
# named: no_softmax


def attend_all(query, key, value):
    weights = query @ key.T
    return weights @ value, weights
