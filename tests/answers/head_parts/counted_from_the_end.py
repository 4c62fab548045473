# wrong: counts the heads from the last one
# named: from_the_end
def head_parts(w_query, w_output, num_heads, i):
    return w_query.chunk(num_heads)[-i], w_output.chunk(num_heads, dim=1)[-i]
