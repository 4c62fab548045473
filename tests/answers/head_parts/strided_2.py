# wrong: gives head i every num_heads-th row and column
# named: interleaved


def head_parts(w_query, w_output, num_heads, i):
    return w_query[i::num_heads], w_output[:, i::num_heads]
