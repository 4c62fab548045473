# right
import math

import torch
import torch.nn.functional as F


def cross_attend(x, memory, w_query, w_key, w_value):
    q = x.matmul(w_query.t())
    k = memory.matmul(w_key.t())
    v = memory.matmul(w_value.t())
    scores = torch.matmul(q, k.transpose(-1, -2)).div(math.sqrt(q.size(-1)))
    weights = F.softmax(scores, dim=-1)
    return [torch.matmul(weights, v), weights]
