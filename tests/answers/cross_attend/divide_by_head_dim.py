# wrong: the scores are divided by head_dim, not by its root
# named: divided_by_head_dim
def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT / w_query.shape[0]).softmax(-1)
    return weights @ v, weights
