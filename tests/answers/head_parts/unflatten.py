# right


def head_parts(w_query, w_output, num_heads, i):
    return w_query.unflatten(0, (num_heads, -1))[i], w_output.unflatten(1, (num_heads, -1)).select(
        1, i
    )
