# wrong: divides by the number of key heads, and the index runs out of range
# named: divided_by_kv_heads


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // num_kv_heads
    shape = num_kv_heads, n, -1
    return w_q[head * n : (head + 1) * n], w_k.view(shape)[kv], w_v.view(shape)[kv]
