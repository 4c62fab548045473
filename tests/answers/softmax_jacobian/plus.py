# wrong: adds the outer product instead of subtracting it
# named: plus

import torch


def softmax_jacobian(weights):
    return torch.diag(weights) + weights[:, None] * weights
