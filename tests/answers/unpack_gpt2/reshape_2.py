# wrong: reshapes (d, 3 d) to (3 d, d) instead of transposing
# named: reshaped


def unpack_gpt2(weight):
    d = weight.shape[0]
    return tuple(weight.reshape(3 * d, d).chunk(3))
