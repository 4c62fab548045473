# wrong: flattens the leading dimensions and does not restore them
# named: flattened


def project_qkv(x, w_query, w_key, w_value):
    flat = x.reshape(-1, x.shape[-1])
    return flat @ w_query.T, flat @ w_key.T, flat @ w_value.T
