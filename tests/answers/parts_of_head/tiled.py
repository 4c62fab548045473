# wrong: repeats the whole matrix, so that head 1 gets key head 1
# named: dealt_like_cards


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    group = num_heads // num_kv_heads
    w_k, w_v = w_k.repeat(group, 1), w_v.repeat(group, 1)
    return tuple(w.view(num_heads, -1, w.shape[1])[head] for w in (w_q, w_k, w_v))
