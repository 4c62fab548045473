# right

import torch


def attend_all(query, key, value):
    scores = query.double() @ key.double().transpose(0, 1)
    weights = torch.softmax(scores, dim=-1)
    output = weights @ value.double()
    return output.to(query.dtype), weights.to(query.dtype)
