# wrong: leaves the heads as an axis of their own
# named: heads_apart


def unpack_neox(weight, num_heads):
    d = weight.shape[1]
    return weight.view(num_heads, 3, d // num_heads, d).unbind(1)
