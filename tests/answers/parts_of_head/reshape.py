# right


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    d_model = w_q.shape[1]
    queries = w_q.reshape(num_kv_heads, num_heads // num_kv_heads, -1, d_model)
    group, member = divmod(head, num_heads // num_kv_heads)
    keys = w_k.reshape(num_kv_heads, -1, d_model)
    values = w_v.reshape(num_kv_heads, -1, d_model)
    return queries[group, member], keys[group], values[group]
