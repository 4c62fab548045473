# wrong: cuts keys and values in num_heads pieces
# named: thin_keys


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    def rows(weight):
        n = weight.shape[0] // num_heads
        return weight[head * n : (head + 1) * n]

    return rows(w_q), rows(w_k), rows(w_v)
