# wrong: columns of w_query turned round instead of its rows
# named: query_columns_transposed
def head_parts(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    part = slice(i * head_dim, (i + 1) * head_dim)
    return w_query[:, part].T, w_output[:, part]
