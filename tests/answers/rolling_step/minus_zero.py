# wrong: -(window - 1): with a window of 1
# named: minus_zero
import math

import torch


def rolling_step(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past[:, :, -(window - 1) :], new], dim=2)

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values
