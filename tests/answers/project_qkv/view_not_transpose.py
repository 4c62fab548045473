# wrong: turns the weights round with view, which scrambles them
# named: reshaped


def project_qkv(x, w_query, w_key, w_value):
    head_dim, d_model = w_query.shape
    return tuple(x @ w.view(d_model, head_dim) for w in (w_query, w_key, w_value))
