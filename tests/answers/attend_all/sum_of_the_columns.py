# wrong: divides by the sum over dim 0, the queries
# named: softmax_over_queries


def attend_all(query, key, value):
    e = (query @ key.T).exp()
    weights = e / e.sum(0)
    return weights @ value, weights
