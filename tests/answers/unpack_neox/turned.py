# wrong: transposes the results, as for GPT-2
# named: transposed


def unpack_neox(weight, num_heads):
    d = weight.shape[1]
    w = weight.view(num_heads, 3, d // num_heads, d)
    return tuple(part.reshape(d, d).T for part in w.unbind(1))
