# wrong: from halves to neighbours
# named: other_direction


def neighbours_to_halves(weight, num_heads):
    halves = weight.reshape(num_heads, 2, -1, weight.shape[1])
    return halves.transpose(1, 2).reshape(weight.shape)
