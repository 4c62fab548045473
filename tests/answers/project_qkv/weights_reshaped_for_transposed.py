# wrong: reshapes the weights to (d_model, head_dim) instead of transposing them
# named: reshaped


def project_qkv(x, w_query, w_key, w_value):
    shape = (w_query.shape[1], w_query.shape[0])
    return x @ w_query.reshape(shape), x @ w_key.reshape(shape), x @ w_value.reshape(shape)
