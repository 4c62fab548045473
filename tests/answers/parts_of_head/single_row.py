# wrong: one row of each
# named: one_row


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    kv = head // (num_heads // num_kv_heads)
    return w_q[head], w_k[kv], w_v[kv]
