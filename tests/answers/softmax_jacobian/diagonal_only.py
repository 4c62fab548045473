# wrong: fills only the diagonal with p (1 - p)
# named: own_score_only

import torch


def softmax_jacobian(weights):
    return torch.diag(weights * (1 - weights))
