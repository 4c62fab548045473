# wrong: returns (reader, maker) in the wrong order
# named: swapped


def head_parts(w_query, w_output, num_heads, i):
    d = len(w_query) // num_heads
    return w_output[:, i * d : i * d + d], w_query[i * d : i * d + d]
