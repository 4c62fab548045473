# wrong: the diagonal term is the identity, not the weights
# named: eye_minus_outer
import torch


def softmax_jacobian(weights):
    n = weights.shape[0]
    return torch.eye(n, dtype=weights.dtype) - torch.outer(weights, weights)
