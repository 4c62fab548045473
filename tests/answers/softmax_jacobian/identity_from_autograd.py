# wrong: differentiates the weights by the weights themselves
# named: identity

import torch


def softmax_jacobian(weights):
    return torch.autograd.functional.jacobian(lambda w: w.clone(), weights)
