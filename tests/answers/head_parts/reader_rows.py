# wrong: takes rows of w_output (turned round) instead of its columns
# named: output_rows_transposed


def head_parts(w_query, w_output, num_heads, i):
    d = w_query.shape[0] // num_heads
    s = slice(i * d, (i + 1) * d)
    return w_query[s], w_output[s].T
