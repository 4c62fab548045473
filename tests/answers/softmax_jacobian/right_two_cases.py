# right

import torch


def softmax_jacobian(weights):
    n = len(weights)
    jacobian = torch.empty(n, n, dtype=weights.dtype)
    for i in range(n):
        for j in range(n):
            p, q = weights[i], weights[j]
            jacobian[i, j] = p * (1 - p) if i == j else -p * q
    return jacobian
