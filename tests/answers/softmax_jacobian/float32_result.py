# wrong: puts the numbers into a float32 matrix
# named: dtype

import torch


def softmax_jacobian(weights):
    n = len(weights)
    jacobian = torch.zeros(n, n)
    for i in range(n):
        for j in range(n):
            jacobian[i, j] = weights[i] * (float(i == j) - weights[j])
    return jacobian
