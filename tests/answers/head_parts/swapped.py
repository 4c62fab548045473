# wrong: returns the reader first
# named: swapped
def head_parts(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    part = slice(i * head_dim, (i + 1) * head_dim)
    return w_output[:, part], w_query[part]
