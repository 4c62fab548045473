# wrong: reshapes forth and back, and nothing changes its place
# named: unchanged


def neighbours_to_halves(weight, num_heads):
    heads = weight.reshape(num_heads, -1, 2, weight.shape[1])
    return heads.reshape(num_heads, 2, -1, weight.shape[1]).reshape(weight.shape)
