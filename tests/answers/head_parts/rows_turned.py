# wrong: takes rows of w_output and turns them round
# named: output_rows_transposed


def head_parts(w_query, w_output, num_heads, i):
    maker = w_query.view(num_heads, -1, w_query.shape[1])[i]
    reader = w_output.view(num_heads, -1, w_output.shape[1])[i].T
    return maker, reader
