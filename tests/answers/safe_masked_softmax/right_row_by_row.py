# right
import math

import torch


def safe_masked_softmax(scores, mask):
    n = scores.shape[-1]
    mask = mask.expand(scores.shape).reshape(-1, n)
    rows = []
    for row, allowed in zip(scores.reshape(-1, n), mask):
        if allowed.any():
            rows.append(torch.softmax(row.masked_fill(~allowed, -math.inf), dim=0))
        else:
            rows.append(row * 0)
    return torch.stack(rows).view(scores.shape)
