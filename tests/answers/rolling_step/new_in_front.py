# wrong: the new one stands in front
# named: new_one_in_front
import math

import torch


def rolling_step(query, key, value, past_key, past_value, window):
    def keep(past, new):
        return torch.cat(
            [new, past[:, :, past.shape[2] + 1 - window if past.shape[2] >= window else 0 :]], dim=2
        )

    keys, values = keep(past_key, key), keep(past_value, value)
    seen_keys, seen_values = keys, values
    scores = query @ seen_keys.transpose(-2, -1) / math.sqrt(query.size(-1))
    output = torch.softmax(scores, dim=-1) @ seen_values
    return output, keys, values
