# wrong: head_dim is d_model // num_heads
# named: head_dim_of_d_model


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = w_q.shape[1] // num_heads
    kv = head // (num_heads // num_kv_heads)
    return w_q[head * n : (head + 1) * n], w_k[kv * n : (kv + 1) * n], w_v[kv * n : (kv + 1) * n]
