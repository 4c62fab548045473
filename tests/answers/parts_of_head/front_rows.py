# wrong: the first rows of each matrix
# named: head_ignored


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    return w_q[:n], w_k[:n], w_v[:n]
