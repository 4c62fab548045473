# wrong: groups of three, as the real model has, whatever the numbers are
# named: groups_of_three


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // 3
    return w_q[head * n : (head + 1) * n], w_k[kv * n : (kv + 1) * n], w_v[kv * n : (kv + 1) * n]
