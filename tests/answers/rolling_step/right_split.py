# right
import math

import torch


def rolling_step(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat((*past.unbind(2), new[:, :, 0])[-window:], -1).unflatten(
            -1, (-1, new.shape[-1])
        )

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values
