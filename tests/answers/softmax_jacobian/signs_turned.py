# wrong: the sign of the whole matrix is turned
# named: sign

import torch


def softmax_jacobian(weights):
    return torch.outer(weights, weights) - torch.diag(weights)
