# wrong: uses 2 ** score where it should be e ** score
# named: other_base


def attend_by_hand(query, keys, values):
    scores = [sum(q * k for q, k in zip(query, key)) for key in keys]
    powers = [2**s for s in scores]
    weights = [p / sum(powers) for p in powers]
    output = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(values[0]))]
    return output, weights
