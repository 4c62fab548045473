# wrong: merges with the heads as the fast axis, so that the rows are sorted by feature
# named: heads_interleaved


def unpack_neox(weight, num_heads):
    d = weight.shape[1]
    w = weight.view(num_heads, 3, d // num_heads, d)
    return tuple(part.transpose(0, 1).reshape(d, d) for part in w.unbind(1))
