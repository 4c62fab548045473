# wrong: turns the keys with reshape instead of a transpose, which mixes the numbers of different keys
# named: reshaped


def attend_all(query, key, value):
    key_len, d = key.shape
    scores = query @ key.reshape(d, key_len)
    weights = scores.softmax(-1)
    return weights @ value, weights
