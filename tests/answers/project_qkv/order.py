# wrong: returns query, value, key: the last two are swapped
# named: key_value_exchanged


def project_qkv(x, w_query, w_key, w_value):
    return x @ w_query.mT, x @ w_value.mT, x @ w_key.mT
