# wrong: p_i squared is subtracted on the diagonal twice
# named: square_twice

import torch


def softmax_jacobian(weights):
    return torch.diag(weights - weights**2) - torch.outer(weights, weights)
