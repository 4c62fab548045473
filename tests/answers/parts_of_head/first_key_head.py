# wrong: key head 0 for all
# named: key_head_0


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    return w_q[head * n : (head + 1) * n], w_k[:n], w_v[:n]
