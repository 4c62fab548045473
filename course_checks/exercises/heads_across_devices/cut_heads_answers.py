"""Answers to cut_heads (lesson 15, exercise 1), right and wrong, as students write them."""


# wrong: rank + 1 * width for (rank + 1) * width
# named: brackets_forgotten
def parentheses_forgotten(w_query, w_key, w_value, w_out, rank, num_devices):
    width = w_query.shape[0] // num_devices
    own = slice(rank * width, rank + 1 * width)
    return w_query[own], w_key[own], w_value[own], w_out[:, own]


# wrong: ranks are taken to begin with 1
# named: from_one
def ranks_from_one(w_query, w_key, w_value, w_out, rank, num_devices):
    width = w_query.shape[0] // num_devices
    own = slice((rank - 1) * width, rank * width)
    return w_query[own], w_key[own], w_value[own], w_out[:, own]


# right
def right_chunks(w_query, w_key, w_value, w_out, rank, num_devices):
    pieces = [w.chunk(num_devices)[rank] for w in (w_query, w_key, w_value)]
    return [*pieces, w_out.chunk(num_devices, 1)[rank].contiguous()]


# right
def right_devices_as_a_dimension(w_query, w_key, w_value, w_out, rank, num_devices):
    n = num_devices
    rows = tuple(w.unflatten(0, (n, -1))[rank] for w in (w_query, w_key, w_value))
    return *rows, w_out.T.reshape(n, -1, w_out.shape[0])[rank].T


# wrong: rows and columns are exchanged
# named: exchanged
def rows_for_columns(w_query, w_key, w_value, w_out, rank, num_devices):
    width = w_query.shape[0] // num_devices
    own = slice(rank * width, (rank + 1) * width)
    return w_query[:, own], w_key[:, own], w_value[:, own], w_out[own]


# wrong: rows of w_out
# named: rows_of_w_out
def rows_of_w_out(w_query, w_key, w_value, w_out, rank, num_devices):
    width = w_query.shape[0] // num_devices
    own = slice(rank * width, (rank + 1) * width)
    return w_query[own], w_key[own], w_value[own], w_out[own]


# wrong: every n-th row
# named: in_turns
def strided(w_query, w_key, w_value, w_out, rank, num_devices):
    rows = tuple(w[rank::num_devices] for w in (w_query, w_key, w_value))
    return *rows, w_out[:, rank::num_devices]


# wrong: the width comes from d_model
# named: width_of_d_model
def width_of_d_model(w_query, w_key, w_value, w_out, rank, num_devices):
    width = w_query.shape[1] // num_devices
    own = slice(rank * width, (rank + 1) * width)
    return w_query[own], w_key[own], w_value[own], w_out[:, own]
