# wrong: off the diagonal gives -p_i (1 - p_j) instead of -p_i p_j
# named: complement

import torch


def softmax_jacobian(weights):
    p = weights
    off = -torch.outer(p, 1 - p)
    return torch.where(torch.eye(len(p), dtype=torch.bool), p * (1 - p), off)
