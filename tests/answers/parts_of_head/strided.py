# wrong: every num_heads-th row
# named: interleaved


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    kv = head // (num_heads // num_kv_heads)
    return w_q[head::num_heads], w_k[kv::num_kv_heads], w_v[kv::num_kv_heads]
