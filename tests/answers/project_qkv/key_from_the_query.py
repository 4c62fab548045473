# wrong: projects the query again to get the key


def project_qkv(x, w_query, w_key, w_value):
    query = x @ w_query.T
    key = query @ w_key.T if query.shape[-1] == w_key.shape[-1] else x @ w_key.T
    return query, key, x @ w_value.T
