# wrong: projects only the first sentence of a batch
# named: first_sentence


def project_qkv(x, w_query, w_key, w_value):
    if x.dim() > 2:
        x = x[0]
    return x @ w_query.T, x @ w_key.T, x @ w_value.T
