# wrong: detaches the results, so none of the three weights can learn
# named: cut_off


def project_qkv(x, w_query, w_key, w_value):
    return tuple((x @ w.T).detach() for w in (w_query, w_key, w_value))
