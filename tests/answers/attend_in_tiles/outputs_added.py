# wrong: the tiles' own softmaxes, added
# named: sum_of_tiles
import math

import torch


def attend_in_tiles(query, key, value, block_len, is_causal):
    n = len(query)
    out = torch.zeros(n, value.shape[1])
    for i in range(0, n, block_len):
        rows = slice(i, min(i + block_len, n))
        for j in range(0, i + 1 if is_causal else n, block_len):
            cols = slice(j, min(j + block_len, n))
            s = query[rows] @ key[cols].T / math.sqrt(query.shape[1])
            if is_causal and i == j:
                s = s + torch.full_like(s, -math.inf).triu(1)
            out[rows] += s.softmax(dim=-1) @ value[cols]
    return out
