# wrong: starts each block one column too early
# named: one_column_early
def unpack_gpt2(weight):
    d = weight.shape[0]
    return weight[:, :d].T, weight[:, d - 1 : 2 * d - 1].T, weight[:, 2 * d - 1 : 3 * d - 1].T
