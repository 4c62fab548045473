# wrong: transposes the results, as for GPT-2
# named: transposed


def unpack_neox(weight, num_heads):
    d = weight.shape[1]
    w = weight.unflatten(0, (num_heads, 3, -1))
    return tuple(w[:, j].reshape(d, d).T for j in range(3))
