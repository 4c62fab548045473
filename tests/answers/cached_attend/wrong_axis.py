# wrong: joined along the features
import math

import torch


def cached_attend(query, key, value, past_key, past_value):
    keys = torch.cat((past_key, key), dim=-1)
    values = torch.cat((past_value, value), dim=-1)
    scores = query @ keys.mT / math.sqrt(query.shape[-1])
    return scores.softmax(-1) @ values, keys, values
