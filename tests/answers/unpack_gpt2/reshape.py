# wrong: reshapes (d, 3d) to (3d, d) instead of transposing it
# named: reshaped


def unpack_gpt2(weight):
    d = weight.shape[0]
    return weight.reshape(3 * d, d).chunk(3, dim=0)
