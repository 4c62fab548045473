# right


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = w_q.shape[0] // num_heads
    g = head // (num_heads // num_kv_heads)
    return w_q[head * n : head * n + n], w_k[g * n : g * n + n], w_v[g * n : g * n + n]
