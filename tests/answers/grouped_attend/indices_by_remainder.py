# wrong: head i asks key head i % num_kv_heads
# named: in_turns
import math

import torch


def grouped_attend(query, key, value):
    share = query.size(1) // key.size(1)
    k = key[:, torch.arange(query.size(1)) % key.size(1)]
    v = value[:, torch.arange(query.size(1)) % key.size(1)]
    scores = torch.matmul(query, k.transpose(-2, -1)) / math.sqrt(query.size(-1))
    return torch.matmul(torch.softmax(scores, dim=-1), v)
