# right
import math

import torch


def attend_in_tiles(query, key, value, block_len, is_causal):
    """Two passes over the keys: the maxima first, then the sums."""
    out, n = torch.empty(len(query), value.shape[1]), len(query)
    scaled = query / math.sqrt(query.shape[1])
    for i in range(0, n, block_len):
        rows = range(i, min(i + block_len, n))
        end = rows[-1] + 1 if is_causal else n
        tiles = []

        def tile(j, rows=rows, end=end):
            s = scaled[rows[0] : rows[-1] + 1] @ key[j : min(j + block_len, end)].T
            if is_causal:
                late = torch.arange(j, j + s.shape[1]) > torch.tensor(rows)[:, None]
                s[late] = -math.inf
            return s

        starts = range(0, end, block_len)
        top = torch.stack([tile(j).amax(1) for j in starts]).amax(0)[:, None]
        tiles = [((tile(j) - top).exp(), value[j : min(j + block_len, end)]) for j in starts]
        total = sum(p.sum(1, keepdim=True) for p, _ in tiles)
        out[rows[0] : rows[-1] + 1] = sum(p @ v for p, v in tiles) / total
    return out
