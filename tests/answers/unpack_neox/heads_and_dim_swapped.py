# wrong: exchanges num_heads and head_dim in the shape
# named: sizes_exchanged


def unpack_neox(weight, num_heads):
    d = weight.shape[1]
    w = weight.view(d // num_heads, 3, num_heads, d)
    return tuple(w[:, j].reshape(d, d) for j in range(3))
