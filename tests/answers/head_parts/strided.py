# wrong: takes every num_heads-th row and column instead of a block of neighbours
# named: interleaved


def head_parts(w_query, w_output, num_heads, i):
    return w_query[i::num_heads], w_output[:, i::num_heads]
