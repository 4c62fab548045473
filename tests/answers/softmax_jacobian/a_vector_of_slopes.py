# wrong: returns p (1 - p), one number for each weight
# named: vector


def softmax_jacobian(weights):
    return weights * (1 - weights)
