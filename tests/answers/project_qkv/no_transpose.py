# wrong: multiplies by the weights as they are stored
# named: not_transposed


def project_qkv(x, w_query, w_key, w_value):
    return x @ w_query, x @ w_key, x @ w_value
