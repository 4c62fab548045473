# wrong: a head_dim of 4, as in the example
# named: four_wide
def head_parts(w_query, w_output, num_heads, i):
    return w_query[4 * i : 4 * i + 4], w_output[:, 4 * i : 4 * i + 4]
