# wrong: copy-paste slip: the value is made with the key's weight
# named: key_as_value


def project_qkv(x, w_query, w_key, w_value):
    query = x @ w_query.T
    key = x @ w_key.T
    value = x @ w_key.T
    return query, key, value
