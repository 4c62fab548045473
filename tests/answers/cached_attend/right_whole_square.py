# right
import math

import torch


def cached_attend(query, key, value, past_key, past_value):
    """Queries of zeros for the past, an ordinary causal mask, and the last rows."""
    keys, values = torch.cat((past_key, key), 2), torch.cat((past_value, value), 2)
    asks = torch.cat((torch.zeros_like(past_key), query), 2)
    scores = torch.einsum("bhqd,bhkd->bhqk", asks, keys) / math.sqrt(keys.shape[3])
    weights = scores.masked_fill(torch.ones_like(scores).triu(1) > 0, -math.inf).softmax(3)
    return (weights @ values)[:, :, past_key.shape[2] :], keys, values
