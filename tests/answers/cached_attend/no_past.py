# wrong: attends to the new tokens alone
# named: past_not_seen
import math

import torch


def cached_attend(query, key, value, past_key, past_value):
    n = query.shape[2]
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    scores = scores.masked_fill(torch.ones(n, n).triu(1).bool(), -math.inf)
    out = scores.softmax(-1) @ value
    return out, torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)
