# wrong: counts the heads from 1
# named: counted_from_1
def head_parts(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    part = slice((i - 1) * head_dim, i * head_dim)
    return w_query[part], w_output[:, part]
