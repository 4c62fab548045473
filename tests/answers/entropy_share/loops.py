# right
import math

import torch


def entropy_share(weights, mask):
    mask = mask.expand(weights.shape)
    shares = []
    for head in range(weights.shape[1]):
        found = []
        for sentence in range(weights.shape[0]):
            for query in range(weights.shape[2]):
                keys = int(mask[sentence, head, query].sum())
                if keys < 2:
                    continue
                row = weights[sentence, head, query]
                row = row[row > 0]
                found.append(-(row * row.log()).sum() / math.log(keys))
        shares.append(torch.stack(found).mean())
    return torch.stack(shares)
