# wrong: returns key, query, value
# named: query_key_exchanged


def project_qkv(x, w_query, w_key, w_value):
    return x @ w_key.T, x @ w_query.T, x @ w_value.T
