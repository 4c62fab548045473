# wrong: brings the two in front of the heads, so that the even rows of all heads come first
# named: whole_matrix


def neighbours_to_halves(weight, num_heads):
    pairs = weight.reshape(num_heads, -1, 2, weight.shape[1])
    return pairs.permute(2, 0, 1, 3).reshape(weight.shape)
