# right


def cut_heads(w_query, w_key, w_value, w_out, rank, num_devices):
    pieces = [w.chunk(num_devices)[rank] for w in (w_query, w_key, w_value)]
    return [*pieces, w_out.chunk(num_devices, 1)[rank].contiguous()]
