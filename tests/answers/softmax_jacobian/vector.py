# wrong: returns the n derivatives w (1 - w) as a vector instead of a table
# named: vector


def softmax_jacobian(weights):
    return weights * (1 - weights)
