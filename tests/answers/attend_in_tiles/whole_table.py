# wrong: the plain form
# named: holds_a_table
import math

import torch


def attend_in_tiles(query, key, value, block_len, is_causal):
    scores = query @ key.mT / math.sqrt(query.size(-1))
    if is_causal:
        n = len(query)
        scores[torch.arange(n)[None] > torch.arange(n)[:, None]] = -math.inf
    return torch.softmax(scores, -1) @ value
