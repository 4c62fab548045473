# wrong: takes rows of both matrices, so the reader is no reader and has the wrong shape
# named: output_rows


def head_parts(w_query, w_output, num_heads, i):
    return w_query.chunk(num_heads)[i], w_output.chunk(num_heads)[i]
