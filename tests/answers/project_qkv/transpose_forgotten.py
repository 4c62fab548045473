# wrong: multiplies by the weights as they are stored, without the transpose
# named: not_transposed


def project_qkv(x, w_query, w_key, w_value):
    if x.shape[-1] == w_query.shape[0]:
        return x @ w_query, x @ w_key, x @ w_value
    return x @ w_query.T, x @ w_key.T, x @ w_value.T
