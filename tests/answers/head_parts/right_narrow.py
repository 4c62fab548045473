# right
def head_parts(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    return w_query.narrow(0, i * head_dim, head_dim), w_output.narrow(1, i * head_dim, head_dim)
