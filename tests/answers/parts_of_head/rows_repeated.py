# wrong: repeats single rows where whole heads should be repeated
# named: rows_repeated


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    group = num_heads // num_kv_heads
    n = len(w_q) // num_heads
    wide_k = w_k.repeat_interleave(group, dim=0)
    wide_v = w_v.repeat_interleave(group, dim=0)
    return tuple(w[head * n : (head + 1) * n] for w in (w_q, wide_k, wide_v))
