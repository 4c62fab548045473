# wrong: the columns of w_output begin one block too far
def head_parts(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    maker = w_query[i * head_dim : (i + 1) * head_dim]
    return maker, w_output.roll(-head_dim, dims=1)[:, i * head_dim : (i + 1) * head_dim]
