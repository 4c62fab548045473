# wrong: new keys in front
# named: new_in_front
import math

import torch


def cached_attend(query, key, value, past_key, past_value):
    keys = torch.cat([key, past_key], dim=2)
    values = torch.cat([value, past_value], dim=2)
    n, d = query.shape[-2:]
    m = keys.shape[2]
    mask = torch.ones(n, m).tril(m - n).bool()
    scores = query @ keys.transpose(-2, -1) / math.sqrt(d)
    scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ values, keys, values
