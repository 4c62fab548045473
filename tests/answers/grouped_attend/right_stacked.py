# right
import math

import torch


def grouped_attend(query, key, value):
    share = query.size(1) // key.size(1)
    k = torch.stack([key] * share, dim=2).flatten(1, 2)
    v = torch.stack([value] * share, dim=2).flatten(1, 2)
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)
