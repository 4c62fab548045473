# wrong: the key head has the query head's number, and the last one serves for the rest
# named: own_number


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = min(head, num_kv_heads - 1)
    return w_q[head * n :][:n], w_k[kv * n :][:n], w_v[kv * n :][:n]
