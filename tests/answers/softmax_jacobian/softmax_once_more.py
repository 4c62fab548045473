# wrong: takes the softmax of the weights, as if they were scores
# named: softmax_again

import torch


def softmax_jacobian(weights):
    p = torch.softmax(weights, dim=-1)
    return torch.diag(p) - torch.outer(p, p)
