# wrong: begins at row head, not head * head_dim
# named: begins_too_early


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // (num_heads // num_kv_heads)
    return w_q[head : head + n], w_k[kv : kv + n], w_v[kv : kv + n]
