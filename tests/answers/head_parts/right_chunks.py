# right
def head_parts(w_query, w_output, num_heads, i):
    return w_query.chunk(num_heads, dim=0)[i], w_output.chunk(num_heads, dim=1)[i]
