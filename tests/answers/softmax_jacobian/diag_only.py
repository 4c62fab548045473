# wrong: only the diagonal p(1-p); the other entries stay zero
# named: own_score_only

import torch


def softmax_jacobian(weights):
    n = len(weights)
    J = torch.zeros(n, n, dtype=weights.dtype)
    for i in range(n):
        J[i, i] = weights[i] * (1 - weights[i])
    return J
