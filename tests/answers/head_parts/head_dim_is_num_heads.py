# wrong: takes num_heads for the length of a block
# named: width_is_num_heads
def head_parts(w_query, w_output, num_heads, i):
    part = slice(i * num_heads, (i + 1) * num_heads)
    return w_query[part], w_output[:, part]
