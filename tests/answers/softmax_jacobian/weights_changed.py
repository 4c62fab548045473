# wrong: multiplies the caller's weights in place
# named: changes_input

import torch


def softmax_jacobian(weights):
    jacobian = torch.diag(weights) - torch.outer(weights, weights)
    weights *= 1 - weights
    return jacobian
