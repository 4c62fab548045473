# wrong: the inner loop starts at i, so the lower half stays 0
# named: half

import torch


def softmax_jacobian(weights):
    n = len(weights)
    jacobian = torch.zeros(n, n, dtype=weights.dtype)
    for i in range(n):
        for j in range(i, n):
            jacobian[i, j] = weights[i] * (1 - weights[i]) if i == j else -weights[i] * weights[j]
    return jacobian
