# wrong: cuts into head_dim pieces of num_heads rows instead of num_heads pieces of head_dim rows


def head_parts(w_query, w_output, num_heads, i):
    head_dim = w_query.shape[0] // num_heads
    return w_query.chunk(head_dim)[i], w_output.chunk(head_dim, dim=1)[i]
