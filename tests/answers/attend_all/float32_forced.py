# wrong: turns everything into float32, so float64 inputs come back in another dtype
# named: dtype

import torch


def attend_all(query, key, value):
    query, key, value = query.float(), key.float(), value.float()
    weights = torch.softmax(query @ key.T, dim=-1)
    return weights @ value, weights
