# wrong: the query from under the key head's number too
# named: query_of_the_key_head


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    head = head // (num_heads // num_kv_heads)
    own = slice(head * n, (head + 1) * n)
    return w_q[own], w_k[own], w_v[own]
