# wrong: views w_output straight into the shape of the readers
# named: reader_viewed
def head_parts(w_query, w_output, num_heads, i):
    d_model = w_query.shape[0]
    maker = w_query.view(num_heads, -1, d_model)[i]
    return maker, w_output.reshape(num_heads, d_model, -1)[i]
