# wrong: cat instead of repeat_interleave
# named: in_turns
import math

import torch


def grouped_attend(query, key, value):
    share = query.size(1) // key.size(1)
    k = torch.cat([key] * share, dim=1)
    v = torch.cat([value] * share, dim=1)
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)
