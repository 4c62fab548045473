# wrong: head 0 whatever i is
# named: first_head_always
def head_parts(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    return w_query[:head_dim], w_output[:, :head_dim]
