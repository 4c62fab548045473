# wrong: views the weight as three matrices in memory order
# named: reshaped_transposed


def unpack_gpt2(weight):
    d = weight.shape[0]
    q, k, v = weight.view(3, d, d)
    return q.T, k.T, v.T
