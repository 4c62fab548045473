# right
def head_parts(w_query, w_output, num_heads, i):
    d_model = w_query.shape[0]
    maker = w_query.reshape(num_heads, -1, d_model)[i]
    reader = w_output.reshape(d_model, num_heads, -1)[:, i]
    return maker, reader
