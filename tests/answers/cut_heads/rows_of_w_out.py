# wrong: rows of w_out
# named: rows_of_w_out


def cut_heads(w_query, w_key, w_value, w_out, rank, num_devices):
    width = w_query.shape[0] // num_devices
    own = slice(rank * width, (rank + 1) * width)
    return w_query[own], w_key[own], w_value[own], w_out[own]
