# wrong: key head 0 for all
# named: first_for_all
import math

import torch


def grouped_attend(query, key, value):
    share = query.size(1) // key.size(1)
    k = key[:, :1]
    v = value[:, :1]
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)
