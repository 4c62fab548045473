# wrong: the sign is turned round
# named: sign
import torch


def softmax_jacobian(weights):
    return torch.outer(weights, weights) - torch.diag(weights)
