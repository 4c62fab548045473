# wrong: the query is scaled and then the scores are scaled again
# named: divided_by_head_dim
def cross_attend(x, memory, w_query, w_key, w_value):
    scale = w_query.shape[0] ** -0.5
    q, k, v = x @ w_query.T * scale, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT * scale).softmax(-1)
    return weights @ v, weights
