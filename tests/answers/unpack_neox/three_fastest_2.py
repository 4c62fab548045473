# wrong: takes query, key and value to alternate row by row within a head
# named: every_third


def unpack_neox(weight, num_heads):
    d = weight.shape[1]
    w = weight.reshape(num_heads, -1, 3, d)
    return tuple(w[:, :, j].reshape(d, d) for j in range(3))
