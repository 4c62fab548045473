# wrong: w @ x.T, so that features and tokens are swapped
# named: answers_transposed


def project_qkv(x, w_query, w_key, w_value):
    xt = x.transpose(-2, -1)
    return w_query @ xt, w_key @ xt, w_value @ xt
