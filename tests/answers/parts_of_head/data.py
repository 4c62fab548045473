# wrong: .data cuts the gradients off
# named: cut_off


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    n = len(w_q) // num_heads
    kv = head // (num_heads // num_kv_heads)
    own = slice(kv * n, (kv + 1) * n)
    return w_q.data[head * n : (head + 1) * n], w_k.data[own], w_v.data[own]
