# wrong: -p_i (1 - p_j) off the diagonal
# named: complement

import torch


def softmax_jacobian(weights):
    jacobian = -torch.outer(weights, 1 - weights)
    jacobian.fill_diagonal_(0)
    return jacobian + torch.diag(weights * (1 - weights))
