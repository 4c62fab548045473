# wrong: splits the rows into (head_dim, num_heads)
# named: interleaved


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    kv = head * num_kv_heads // num_heads
    d = w_q.shape[1]
    query = w_q.reshape(-1, num_heads, d)[:, head]
    key, value = (w.reshape(-1, num_kv_heads, d)[:, kv] for w in (w_k, w_v))
    return query, key, value
