# wrong: returns the window, sees all
# named: sees_what_leaves
import math

import torch


def rolling_step(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat([past, new], dim=2)[:, :, -window:]

    keys, values = keep(past_key, key), keep(past_value, value)

    def see(past, new):
        return torch.cat([past, new], dim=2)

    seen_keys, seen_values = see(past_key, key), see(past_value, value)
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values
