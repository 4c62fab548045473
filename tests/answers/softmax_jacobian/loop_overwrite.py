# wrong: the second assignment in the loop overwrites the diagonal case
# named: no_diagonal
import torch


def softmax_jacobian(weights):
    n = len(weights)
    J = torch.zeros(n, n, dtype=weights.dtype)
    for i in range(n):
        for j in range(n):
            if i == j:
                J[i, j] = weights[i] * (1 - weights[i])
            J[i, j] = -weights[i] * weights[j]
    return J
