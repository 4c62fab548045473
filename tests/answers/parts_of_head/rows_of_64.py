# wrong: 64 rows a head, whatever the numbers are
# named: sixty_four_rows


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    kv = head // (num_heads // num_kv_heads)
    query = w_q[head * 64 : (head + 1) * 64]
    return query, w_k[kv * 64 : (kv + 1) * 64], w_v[kv * 64 : (kv + 1) * 64]
