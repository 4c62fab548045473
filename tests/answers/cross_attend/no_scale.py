# wrong: the scores are not divided by sqrt(head_dim)
# named: no_scale
def cross_attend(x, memory, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, memory @ w_key.T, memory @ w_value.T
    weights = (q @ k.mT).softmax(-1)
    return weights @ v, weights
