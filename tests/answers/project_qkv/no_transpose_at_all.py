# wrong: x @ w, which only runs when the weights are square
# named: not_transposed


def project_qkv(x, w_query, w_key, w_value):
    query = x @ w_query
    key = x @ w_key
    value = x @ w_value
    return query, key, value
