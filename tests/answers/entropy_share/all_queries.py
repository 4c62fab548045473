# wrong: divides by the number of all queries, also of those without a choice
# named: single_key_counts_as_0

import torch


def entropy_share(weights, mask):
    allowed = mask.expand(weights.shape).sum(-1)
    h = -torch.xlogy(weights, weights).sum(-1) / allowed.clamp(min=2).log()
    return h.masked_fill(allowed < 2, 0.0).mean(dim=(0, 2))
