# wrong: reads the rows as (3, num_heads, head_dim), three whole blocks
# named: blocks


def unpack_neox(weight, num_heads):
    d = weight.shape[1]
    w = weight.view(3, num_heads, d // num_heads, d)
    return tuple(w[j].flatten(0, 1) for j in range(3))
