# wrong: head 0 for all heads
# named: first_head_repeated
def unpack_neox(weight, num_heads):
    head_dim = weight.shape[1] // num_heads
    q, k, v = weight[: 3 * head_dim].chunk(3)
    return q.repeat(num_heads, 1), k.repeat(num_heads, 1), v.repeat(num_heads, 1)
