# wrong: softmaxes the weights once more before taking the derivative
# named: softmax_again

import torch


def softmax_jacobian(weights):
    p = torch.softmax(weights, dim=-1)
    return torch.diag(p) - torch.outer(p, p)
