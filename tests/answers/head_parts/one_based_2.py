# wrong: counts the heads from 1
# named: counted_from_1


def head_parts(w_query, w_output, num_heads, i):
    d = w_query.shape[0] // num_heads
    return w_query[(i - 1) * d : i * d], w_output[:, (i - 1) * d : i * d]
