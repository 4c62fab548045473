# wrong: the mean of the key heads
# named: averaged
import math

import torch


def grouped_attend(query, key, value):
    share = query.size(1) // key.size(1)
    k = key.mean(1, keepdim=True)
    v = value.mean(1, keepdim=True)
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)
