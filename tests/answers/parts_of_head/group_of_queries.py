# wrong: the query holds the rows of the whole group
# named: whole_group


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    kv = head // (num_heads // num_kv_heads)
    return tuple(w.chunk(num_kv_heads)[kv] for w in (w_q, w_k, w_v))
