# right

import torch.nn.functional as F


def attend_all(query, key, value):
    weights = F.softmax(key @ query.t(), dim=0).t()
    return weights.mm(value), weights
