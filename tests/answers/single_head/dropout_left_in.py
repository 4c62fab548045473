# wrong: drops weights at random, as F.dropout does unless it is told that nobody trains
# named: varies
import math

import torch.nn.functional as F


def single_head(x, w_query, w_key, w_value):
    q, k, v = x @ w_query.T, x @ w_key.T, x @ w_value.T
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    att = F.softmax(att, dim=-1)
    att = F.dropout(att, p=0.1)
    return att @ v, att
