# wrong: columns instead of rows
# named: columns


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // (num_heads // num_kv_heads)
    query = w_q[:, head * n : (head + 1) * n]
    return query, w_k[:, kv * n : (kv + 1) * n], w_v[:, kv * n : (kv + 1) * n]
