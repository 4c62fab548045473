# wrong: p on the diagonal and -p_i p_j elsewhere, without subtracting p_i squared
# named: square_missing

import torch


def softmax_jacobian(weights):
    jacobian = -torch.outer(weights, weights)
    jacobian[range(len(weights)), range(len(weights))] = weights
    return jacobian
