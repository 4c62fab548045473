# wrong: head_dim of the keys is d_model // num_kv_heads
# named: wide_keys


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    m = w_k.shape[1] // num_kv_heads
    kv = head // (num_heads // num_kv_heads)
    return w_q[head * n : (head + 1) * n], w_k[kv * m : (kv + 1) * m], w_v[kv * m : (kv + 1) * m]
