# right


def parts_of_head(w_q, w_k, w_v, head, num_heads, num_kv_heads):
    head_dim = len(w_q) // num_heads
    group = num_heads // num_kv_heads
    owner = {}
    for kv in range(num_kv_heads):
        for i in range(group):
            owner[kv * group + i] = kv

    def rows(weight, which):
        return weight.narrow(0, which * head_dim, head_dim).clone()

    return rows(w_q, head), rows(w_k, owner[head]), rows(w_v, owner[head])
