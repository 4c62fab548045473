# wrong: the root of the number of keys
# named: scaled_by_length
import math

import torch


def cached_attend(query, key, value, past_key, past_value):
    keys = torch.cat([past_key, key], dim=2)
    values = torch.cat([past_value, value], dim=2)
    n, d = query.shape[-2:]
    m = keys.shape[2]
    mask = torch.ones(n, m).tril(m - n).bool()
    scores = query @ keys.transpose(-2, -1) / math.sqrt(m)
    scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ values, keys, values
