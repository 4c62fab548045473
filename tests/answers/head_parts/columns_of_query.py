# wrong: takes columns of w_query and turns them round
# named: query_columns_transposed


def head_parts(w_query, w_output, num_heads, i):
    d = w_query.shape[0] // num_heads
    s = slice(i * d, (i + 1) * d)
    return w_query[:, s].T, w_output[:, s]
