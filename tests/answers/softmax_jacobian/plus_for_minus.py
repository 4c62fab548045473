# wrong: adds the outer product
# named: plus

import torch


def softmax_jacobian(weights):
    return torch.diag(weights) + torch.outer(weights, weights)
