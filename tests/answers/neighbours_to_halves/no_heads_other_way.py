# wrong: over the whole matrix, and the other direction
# named: other_direction_whole_matrix


def neighbours_to_halves(weight, num_heads):
    return weight.view(2, -1, weight.shape[1]).transpose(0, 1).reshape(weight.shape)
