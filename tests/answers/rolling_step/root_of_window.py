# wrong: the root of the window
# named: scaled_by_length
import math

import torch


def rolling_step(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)[:, :, -window:]

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(window)
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values
