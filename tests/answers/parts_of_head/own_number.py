# wrong: the key head has the query head's number
# named: own_number


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    return tuple(w[head * n : (head + 1) * n] for w in (w_q, w_k, w_v))
