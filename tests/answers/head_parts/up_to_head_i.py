# wrong: all rows up to head i
# named: up_to_head_i
def head_parts(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    return w_query[: (i + 1) * head_dim], w_output[:, : (i + 1) * head_dim]
