# wrong: the key is made from the query and the value from the key, not from x


def project_qkv(x, w_query, w_key, w_value):
    query = x @ w_query.T
    if w_key.shape[1] == query.shape[-1]:
        key = query @ w_key.T
    else:
        key = x @ w_key.T
    value = x @ w_value.T
    return query, key, value
