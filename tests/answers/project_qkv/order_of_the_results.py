# wrong: returns query, value, key
# named: key_value_exchanged


def project_qkv(x, w_query, w_key, w_value):
    query, key, value = x @ w_query.T, x @ w_key.T, x @ w_value.T
    return query, value, key
