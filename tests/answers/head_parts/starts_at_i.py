# wrong: starts at row i instead of row i * head_dim
# named: start_not_multiplied
def head_parts(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    return w_query[i : i + head_dim], w_output[:, i : i + head_dim]
