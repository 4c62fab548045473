# wrong: deals the heads out like cards
# named: dealt_like_cards


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head % num_kv_heads
    return w_q[head * n : (head + 1) * n], w_k[kv * n : (kv + 1) * n], w_v[kv * n : (kv + 1) * n]
