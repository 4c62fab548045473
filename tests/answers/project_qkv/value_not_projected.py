# wrong: returns x itself as the value
# named: value_is_x


def project_qkv(x, w_query, w_key, w_value):
    return x @ w_query.T, x @ w_key.T, x
