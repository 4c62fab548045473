# wrong: uses w_query three times
# named: one_matrix


def project_qkv(x, w_query, w_key, w_value):
    return tuple(x @ w_query.T for _ in range(3))
