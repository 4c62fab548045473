# right


def cut_heads(w_query, w_key, w_value, w_out, rank, num_devices):
    n = num_devices
    rows = tuple(w.unflatten(0, (n, -1))[rank] for w in (w_query, w_key, w_value))
    return *rows, w_out.T.reshape(n, -1, w_out.shape[0])[rank].T
