# right

import torch


def near_share(weights, width, mask):
    n = weights.shape[-1]
    band = torch.ones(n, n, dtype=torch.bool).tril(width) & torch.ones(n, n, dtype=torch.bool).triu(
        -width
    )
    mask = torch.broadcast_to(mask, weights.shape)
    inside = (mask & band).sum(-1, dtype=weights.dtype) / mask.sum(-1, dtype=weights.dtype)
    found = weights.masked_fill(~band, 0).sum(-1)
    return found.transpose(0, 1).flatten(1).mean(1), inside.transpose(0, 1).flatten(1).mean(1)
