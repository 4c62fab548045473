# right

import torch
import torch.nn.functional as F


def three_targets(items, places):
    n = items.shape[1]
    picked = []
    for step in (3, 1, 4):
        hot = F.one_hot((places + step) % n, n).to(items.dtype)  # (batch, queries, n)
        picked.append((hot * items[:, None, :]).sum(dim=-1).to(items.dtype))
    return torch.stack(picked, dim=-1)
