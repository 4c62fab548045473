# wrong: columns, transposed so that the shape looks right
# named: columns


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // (num_heads // num_kv_heads)
    query, key, value = w_q.T[head * n : (head + 1) * n], w_k.T, w_v.T
    return query, key[kv * n : (kv + 1) * n], value[kv * n : (kv + 1) * n]
