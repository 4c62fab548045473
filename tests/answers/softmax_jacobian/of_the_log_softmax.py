# wrong: the Jacobian of the log of the softmax
# named: first_factor_missing

import torch


def softmax_jacobian(weights):
    n = len(weights)
    return torch.eye(n, dtype=weights.dtype) - weights.expand(n, n)
