# wrong: the scale uses the group
import math

import torch


def grouped_attend(query, key, value):
    share = query.size(1) // key.size(1)
    k = key.repeat_interleave(share, dim=1)
    v = value.repeat_interleave(share, dim=1)
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1) * share)
    return torch.matmul(torch.softmax(scores, dim=-1), v)
