# wrong: centres x in place
# named: changes_input


def project_qkv(x, w_query, w_key, w_value):
    results = x @ w_query.T, x @ w_key.T, x @ w_value.T
    x -= x.mean(dim=-1, keepdim=True)
    return results
