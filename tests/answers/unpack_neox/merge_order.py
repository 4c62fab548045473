# wrong: merges rows and heads the wrong way round, so the result is sorted by the row within a head
# named: heads_interleaved


def unpack_neox(weight, num_heads):
    d = weight.shape[1]
    w = weight.reshape(num_heads, 3, d // num_heads, d)
    return tuple(w[:, j].transpose(0, 1).reshape(d, d) for j in range(3))
