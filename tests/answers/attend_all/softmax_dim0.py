# wrong: softmax over the queries
# named: softmax_over_queries


def attend_all(query, key, value):
    weights = (query @ key.T).softmax(0)
    return weights @ value, weights
