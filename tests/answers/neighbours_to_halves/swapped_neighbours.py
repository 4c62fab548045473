# wrong: exchanges the two rows of each pair
# named: pairs_exchanged


def neighbours_to_halves(weight, num_heads):
    return weight.view(-1, 2, weight.shape[1]).flip(1).reshape(weight.shape)
